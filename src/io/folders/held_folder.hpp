#pragma once
/// A folder of this process alone, and those of processes that are gone.

#include <filesystem>
#include <string>

namespace sunder {

/// Holds a folder as long as it lives. Processes that end let go, however they end.
class HeldFolder {
 public:
  explicit HeldFolder(const std::filesystem::path& path);
  ~HeldFolder();
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

  /// Whether nobody else holds it. False, too, where the file system cannot tell.
  bool held() const { return held_; }
  /// Of this user, and not touched for a while: its maker may hold it a moment later.
  bool is_old_and_ours() const;

 private:
  int descriptor_;
  bool held_;
};

/// Removes folders of this user in `parent`, of names that begin with `prefix`, that nobody holds.
void remove_abandoned(const std::filesystem::path& parent, const std::string& prefix);

}  // namespace sunder
