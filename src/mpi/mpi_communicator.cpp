#include "sunder/mpi/mpi_communicator.hpp"

#include <mpi.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// The kind of a failure, as processes report it to each other.
enum class Failure : int { none, option, input, output, write, cancelled, memory, other };

struct Report {
  Failure kind = Failure::none;
  std::string message;
};

Report report_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const OptionError& error) {
    return {Failure::option, error.what()};
  } catch (const InputError& error) {
    return {Failure::input, error.what()};
  } catch (const OutputError& error) {
    return {Failure::output, error.what()};
  } catch (const WriteError& error) {
    return {Failure::write, error.what()};
  } catch (const Cancelled& error) {
    return {Failure::cancelled, error.what()};
  } catch (const std::bad_alloc& error) {
    return {Failure::memory, error.what()};
  } catch (const std::exception& error) {
    return {Failure::other, error.what()};
  }
}

[[noreturn]] void throw_it(const Report& report) {
  switch (report.kind) {
    case Failure::option:
      throw OptionError(report.message);
    case Failure::input:
      throw InputError(report.message);
    case Failure::output:
      throw OutputError(report.message);
    case Failure::write:
      throw WriteError(report.message);
    case Failure::cancelled:
      throw Cancelled(report.message);
    case Failure::memory:
      throw std::bad_alloc();
    case Failure::none:
    case Failure::other:
      break;
  }
  throw Error(report.message);
}

}  // namespace

MpiCommunicator::MpiCommunicator() : exceptions_(std::uncaught_exceptions()) {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised == 0) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    owns_ = true;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

MpiCommunicator::~MpiCommunicator() {
  if (std::uncaught_exceptions() > exceptions_ && !agreed_) MPI_Abort(MPI_COMM_WORLD, 1);
  if (owns_) MPI_Finalize();
}

void MpiCommunicator::broadcast(std::span<double> values, int root) const {
  constexpr std::size_t most = std::size_t{1} << 28;  // MPI counts in int
  for (std::size_t begin = 0; begin < values.size(); begin += most) {
    const std::size_t count = std::min(most, values.size() - begin);
    MPI_Bcast(values.data() + begin, static_cast<int>(count), MPI_DOUBLE, root, MPI_COMM_WORLD);
  }
}

void MpiCommunicator::together(const std::function<void()>& work) const {
  Report report = report_of(work);
  const int mine = report.kind == Failure::none ? size_ : rank_;
  int first = size_;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == size_) return;
  int header[] = {static_cast<int>(report.kind), static_cast<int>(report.message.size())};
  MPI_Bcast(header, 2, MPI_INT, first, MPI_COMM_WORLD);
  report.kind = static_cast<Failure>(header[0]);
  report.message.resize(header[1]);
  MPI_Bcast(report.message.data(), header[1], MPI_CHAR, first, MPI_COMM_WORLD);
  agreed_ = true;
  throw_it(report);
}

}  // namespace sunder
