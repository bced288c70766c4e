#include "io/folders/held_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>

namespace sunder {

namespace fs = std::filesystem;

HeldFolder::HeldFolder(const fs::path& path)
    : descriptor_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)),
      held_(descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {}

HeldFolder::~HeldFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool HeldFolder::is_old_and_ours() const {
  constexpr std::time_t a_while = 60;
  struct stat status {};
  return ::fstat(descriptor_, &status) == 0 && status.st_uid == ::geteuid() &&
         std::time(nullptr) - status.st_mtime > a_while;
}

void remove_abandoned(const fs::path& parent, const std::string& prefix) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    const HeldFolder folder(entry.path());
    if (folder.held() && folder.is_old_and_ours()) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace sunder
