#pragma once
/// A lock on a folder of this process, and removal of folders that dead processes left.

#include <filesystem>
#include <string>

namespace sunder {

/// Locks a folder while the object lives. The system releases the lock when the process ends, in
/// whatever way.
class HeldFolder {
 public:
  explicit HeldFolder(const std::filesystem::path& path);
  ~HeldFolder();
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

  /// Returns true if this object has the lock. The answer is false if the file system has no
  /// locks.
  bool held() const { return held_; }
  /// Returns true if this user owns the folder and it has not changed for a while; a newer folder
  /// may be locked by its creator a moment later.
  bool is_old_and_ours() const;

 private:
  int descriptor_;
  bool held_;
};

/// Removes the unlocked folders of this user in `parent` whose names begin with `prefix`.
void remove_abandoned(const std::filesystem::path& parent, const std::string& prefix);

}  // namespace sunder
