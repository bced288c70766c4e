#pragma once
/// What the targets share. A target reads what the fuzzer made up; sunder::Error is the right
/// answer to nonsense, and anything else that leaves the target is a finding.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>

#include "sunder/core/error.hpp"

namespace sunder::fuzz {

/// A folder of this process, gone at its end.
class Scratch {
 public:
  Scratch() {
    // Memory, where there is such a folder: a disk would be the slowest part by far.
    std::string name = std::filesystem::exists("/dev/shm")
                           ? "/dev/shm"
                           : std::filesystem::temp_directory_path().string();
    name += "/sunder-fuzz-XXXXXX";
    const char* const made = ::mkdtemp(name.data());
    if (made == nullptr) std::abort();
    path_ = made;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// A file with these bytes, in place of an earlier one of this name.
  std::string file(const std::string& name, std::span<const std::uint8_t> bytes) const {
    const std::string path = path_ / name;
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (descriptor < 0) std::abort();
    if (::write(descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      std::abort();
    }
    ::close(descriptor);
    return path;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

template <class Work>
int expect_answer_or_error(Work&& work) {
  try {
    work();
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace sunder::fuzz
