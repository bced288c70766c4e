// Loaded before the system's library: reads of one file that fail as those of a bad disk do, and
// memory that ends.
//
//     FAULTY_FILE    name that the path ends in
//     FAULTY_READS   short   at most 1000 bytes come at a time, and signals interrupt now and then
//                    error N the Nth read and all that follow give EIO
//                    cut     the file loses its end once it is mapped, the header first and then
//                    the whole
//     FAULTY_MEMORY  N       once the file is mapped, the Nth piece of 4 KiB or more is refused

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

std::string setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool chosen(int descriptor) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), path, sizeof path);
  const std::string name = setting("FAULTY_FILE");
  return length > 0 && !name.empty() &&
         std::string(path, static_cast<std::size_t>(length)).ends_with(name);
}

/// What the next read may bring: less than was asked for, or -1 with errno.
ssize_t faulty(int descriptor, std::size_t count) {
  static std::atomic<long> reads = 0;
  if (!chosen(descriptor)) return static_cast<ssize_t>(count);
  const std::string how = setting("FAULTY_READS");
  const long number = ++reads;
  if (how == "short") {
    if (number % 7 == 3) {
      errno = EINTR;
      return -1;
    }
    return static_cast<ssize_t>(std::min<std::size_t>(count, 1000));
  }
  if (how.starts_with("error ") && number >= std::atol(how.c_str() + 6)) {
    errno = EIO;
    return -1;
  }
  return static_cast<ssize_t>(count);
}

std::atomic<int> mapped = 0;

/// Without memory of its own: it is asked by malloc.
bool refused(std::size_t size) {
  static const char* const setting = std::getenv("FAULTY_MEMORY");
  static const long first = setting == nullptr ? 0 : std::atol(setting);
  static std::atomic<long> pieces = 0;
  if (first <= 0 || size < 4096 || mapped == 0 || ++pieces != first) return false;
  errno = ENOMEM;
  return true;
}

template <class Function>
Function original(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" ssize_t pread(int descriptor, void* to, std::size_t count, off_t at) {
  static const auto next = original<ssize_t (*)(int, void*, std::size_t, off_t)>("pread");
  const ssize_t allowed = faulty(descriptor, count);
  return allowed < 0 ? -1 : next(descriptor, to, static_cast<std::size_t>(allowed), at);
}

extern "C" ssize_t pread64(int descriptor, void* to, std::size_t count, off_t at) {
  return pread(descriptor, to, count, at);
}

extern "C" void* mmap(void* at, std::size_t length, int protection, int flags, int descriptor,
                      off_t offset) {
  static const auto next = original<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap");
  void* const memory = next(at, length, protection, flags, descriptor, offset);
  if (descriptor < 0 || !chosen(descriptor)) return memory;
  if (++mapped == 2 && setting("FAULTY_READS") == "cut") {
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    if (::truncate(link.c_str(), 4096) != 0) std::perror("truncate");
  }
  return memory;
}

extern "C" void* malloc(std::size_t size) {
  static const auto next = original<void* (*)(std::size_t)>("malloc");
  return refused(size) ? nullptr : next(size);
}

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) {
  static const auto next = original<void* (*)(std::size_t, std::size_t)>("aligned_alloc");
  return refused(size) ? nullptr : next(alignment, size);
}
