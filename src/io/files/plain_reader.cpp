#include "io/files/plain_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include "core/region_failure.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr Index block_bytes = 4096;  ///< smallest unit that a disk delivers
constexpr Index most_run_bytes = 1 << 20;
constexpr int readers = 8;  ///< simultaneous reads; they wait and do not compute

/// The numbers that one read serves: from numbers[begin] to numbers[end - 1].
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Run> runs_of(std::span<const Index> numbers, Index entry_bytes) {
  std::vector<Run> runs;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const bool joins = !runs.empty() &&
                       (numbers[k] - numbers[k - 1]) * entry_bytes <= block_bytes &&
                       (numbers[k] - numbers[runs.back().begin]) * entry_bytes < most_run_bytes;
    if (joins) {
      runs.back().end = k + 1;
    } else {
      runs.push_back({k, k + 1});
    }
  }
  return runs;
}

}  // namespace

InputDescriptor::InputDescriptor(const std::filesystem::path& path)
    : name_(path.string()), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ >= 0) return;
  throw InputError(
      fmt::format("cannot read {}: {}", name_, std::generic_category().message(errno)));
}

InputDescriptor::~InputDescriptor() { ::close(descriptor_); }

void InputDescriptor::read(std::int64_t at, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t came = ::pread(descriptor_, out.data(), out.size(), at);
    if (came < 0 && errno == EINTR) continue;
    if (came < 0) {
      throw InputError(
          fmt::format("cannot read {}: {}", name_, std::generic_category().message(errno)));
    }
    if (came == 0) {
      throw InputError(fmt::format(
          "cannot read {}: it ends at byte {}, and was longer before; do not change it while it is "
          "being read",
          name_, at));
    }
    at += came;
    out = out.subspan(static_cast<std::size_t>(came));
  }
}

PlainReader::PlainReader(const std::filesystem::path& path, std::int64_t first_byte,
                         ScalarType type, const Shape& shape, StorageOrder order)
    : sequential_(path),
      scattered_(path),
      first_byte_(first_byte),
      layout_(nullptr, type, shape, order) {
  ::posix_fadvise(sequential_.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
  ::posix_fadvise(scattered_.get(), 0, 0, POSIX_FADV_RANDOM);
}

void PlainReader::read(Index first, Index count, void* out) {
  const auto entry_bytes = static_cast<Index>(size_of(layout_.type()));
  sequential_.read(first_byte_ + first * entry_bytes,
                   {static_cast<std::byte*>(out), static_cast<std::size_t>(count * entry_bytes)});
  bytes_read_ += count * entry_bytes;
}

void PlainReader::read_at(std::span<const Index> numbers, std::span<double> out) {
  const auto entry_bytes = static_cast<Index>(size_of(layout_.type()));
  const std::vector<Run> runs = runs_of(numbers, entry_bytes);
  const auto count = std::ssize(runs);
  RegionFailure failure;
  Index blocks = 0;
#pragma omp parallel for schedule(dynamic, 16) num_threads(readers) reduction(+ : blocks)
  for (Index k = 0; k < count; ++k) {
    failure.guard([&] {
      const Run& run = runs[k];
      const Index first = numbers[run.begin];
      const Index last = numbers[run.end - 1];
      const std::int64_t at = first_byte_ + first * entry_bytes;
      std::vector<std::byte> bytes((last + 1 - first) * entry_bytes);
      scattered_.read(at, bytes);
      blocks += (at + std::ssize(bytes) - 1) / block_bytes - at / block_bytes + 1;
      with_scalar_type(layout_.type(), [&]<class T>() {
        const auto* entries = reinterpret_cast<const T*>(bytes.data());
        for (std::size_t i = run.begin; i < run.end; ++i) {
          out[i] = static_cast<double>(entries[numbers[i] - first]);
        }
      });
    });
  }
  failure.rethrow();
  bytes_read_ += blocks * block_bytes;
}

}  // namespace sunder
