#include "io/files/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <string>
#include <system_error>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

class Descriptor {
 public:
  // Without O_NONBLOCK, opening a named pipe would wait for a writer instead of failing.
  explicit Descriptor(const std::filesystem::path& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  const std::string name = path.string();
  if (error == ENOENT || error == ENOTDIR) {
    throw InputError(fmt::format("cannot read {}: there is no such file; check the path", name));
  }
  if (error == EACCES || error == EPERM) {
    throw InputError(fmt::format(
        "cannot read {}: permission denied; make it readable with chmod, or copy it", name));
  }
  throw InputError(fmt::format("cannot read {}: {}", name, std::generic_category().message(error)));
}

std::size_t checked_size(const Descriptor& file, const std::filesystem::path& path) {
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) fail(path, errno);
  if (S_ISDIR(status.st_mode)) {
    throw InputError(fmt::format(
        "cannot read {}: it is a folder; name the file that holds the tensor", path.string()));
  }
  if (!S_ISREG(status.st_mode)) {
    throw InputError(
        fmt::format("cannot read {}: it is not a regular file; save the tensor to a file first",
                    path.string()));
  }
  if (status.st_size == 0) {
    throw InputError(
        fmt::format("cannot read {}: the file is empty; write it again", path.string()));
  }
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path, std::size_t most) {
  const Descriptor file(path);
  size_ = std::min(most, checked_size(file, path));
  void* const data = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) {  // NOLINT: the macro's own cast
    if (errno == ENOMEM) throw std::bad_alloc();
    fail(path, errno);
  }
  data_ = data;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

void require_readable_file(const std::filesystem::path& path) { size_of_readable_file(path); }

std::size_t size_of_readable_file(const std::filesystem::path& path) {
  return checked_size(Descriptor(path), path);
}

}  // namespace sunder
