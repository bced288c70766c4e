#include "cli/processes.hpp"

#include <cstdlib>

#include "sunder/core/error.hpp"
#ifdef SUNDER_WITH_MPI
#include "sunder/mpi/mpi_communicator.hpp"
#endif

namespace sunder::cli {

namespace {

/// The first of these variables that is set to a number.
int from_environment(std::initializer_list<const char*> names, int otherwise) {
  for (const char* name : names) {
    const char* const text = std::getenv(name);
    if (text == nullptr || *text == '\0') continue;
    return std::atoi(text);
  }
  return otherwise;
}

}  // namespace

int launched_rank() { return from_environment({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0); }
int launched_size() { return from_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1); }
int launched_on_this_machine() {
  return from_environment({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}, launched_size());
}

std::shared_ptr<const Communicator> all_processes() {
  if (launched_size() == 1) return std::make_shared<SerialCommunicator>();
#ifdef SUNDER_WITH_MPI
  return std::make_shared<MpiCommunicator>();
#else
  throw OptionError(
      "several processes were started, but this program was built without MPI: start one, or build "
      "it again where CMake finds MPI");
#endif
}

}  // namespace sunder::cli
