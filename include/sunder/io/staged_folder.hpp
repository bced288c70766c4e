#pragma once
/// Folders that appear complete or not at all.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sunder {

class HeldFolder;

/// A hidden folder beside the target. Files are written into path(); publish() moves them to the
/// target; without publish() the destructor removes everything. What a process that was killed has
/// left is removed by the next one with this target.
class StagedFolder {
 public:
  /// `owned` are the names this kind of folder may hold, with `*` for any characters
  /// ("factors_*.npy"), the last one being the file whose presence marks a complete folder.
  ///
  /// Refuses, with OutputError, at once and before any work: a target that is a file, a place that
  /// is read-only, a target that already holds an owned name (unless `force`). Other files in the
  /// target are left alone. With `force`, publish() removes the owned names there, and only those,
  /// before it moves the new ones in. Missing parents are created by publish(), not before.
  StagedFolder(std::filesystem::path target, std::vector<std::string> owned, bool force);
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& path() const { return staging_; }
  const std::filesystem::path& target() const { return target_; }
  /// Throws WriteError if the file system refuses; what is staged is then removed, as ever.
  void publish();

 private:
  std::filesystem::path target_;
  std::filesystem::path staging_;
  std::unique_ptr<HeldFolder> held_;
  std::vector<std::string> owned_;
  bool force_;
};

/// Writes text to a temporary file beside `path`, then renames it.
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace sunder
