#pragma once
/// An output folder that appears complete or not at all.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sunder {

class HeldFolder;

/// Stages files in a hidden folder beside the target. Files are written into path(); publish()
/// moves them to the target; without publish() the destructor removes everything. The next process
/// with the same target removes what a killed process left behind.
class StagedFolder {
 public:
  /// `owned` lists the names that this kind of folder may hold, with `*` for any characters
  /// ("factors_*.npy"). The last one is the file whose presence marks a complete folder.
  ///
  /// Throws OutputError at once, before any work, if the target is a file, is read-only, or already
  /// holds an owned name (unless `force`). Other files in the target are left alone. With `force`,
  /// publish() removes only the owned names there before it moves the new files in. publish() also
  /// creates missing parent folders.
  StagedFolder(std::filesystem::path target, std::vector<std::string> owned, bool force);
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& path() const { return staging_; }
  const std::filesystem::path& target() const { return target_; }
  /// Moves the files to the target. Throws WriteError if the file system refuses; the destructor
  /// still removes the staged files.
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
