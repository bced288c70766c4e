#include "core/files/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "sunder/core/error.hpp"

namespace sunder {

namespace fs = std::filesystem;

namespace {

// mkstemp would create the file with mode 0600; open() honours the umask as other programs do.
int create_beside(const fs::path& path, fs::path& temporary) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 1000; ++attempt) {
    temporary = path.parent_path() /
                fmt::format(".{}.partial-{}-{}", path.filename().string(), ::getpid(), counter++);
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path_, ignored);
  // Renaming over a device such as /dev/null would replace the device.
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw OutputError(
        fmt::format("cannot write {}: it exists and is not a regular file; choose "
                    "another name",
                    path_.string()));
  }
  descriptor_ = create_beside(path_, temporary_);
  if (descriptor_ < 0) fail(errno);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::fail(int error) const {
  throw WriteError(
      fmt::format("cannot write {}: {}", path_.string(), std::generic_category().message(error)));
}

void OutputFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(written < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void OutputFile::seek(std::int64_t position) {
  if (::lseek(descriptor_, position, SEEK_SET) < 0) fail(errno);
}

void OutputFile::commit() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  // A quota or a network file system may report a failed write only here.
  if (::close(descriptor) != 0) fail(errno);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

}  // namespace sunder
