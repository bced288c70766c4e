#include "sunder/io/staged_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <span>
#include <system_error>

#include "core/files/output_file.hpp"
#include "io/folders/held_folder.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace fs = std::filesystem;

namespace {

/// Returns the absolute form: "a/b/" and "." have no last component to build a name from.
fs::path absolute_form(const fs::path& path) {
  fs::path full = fs::absolute(path).lexically_normal();
  return full.has_filename() ? full : full.parent_path();
}

fs::path nearest_existing(fs::path path) {
  std::error_code ignored;
  while (!fs::exists(path, ignored) && path.has_relative_path()) path = path.parent_path();
  return path;
}

/// Root may write anywhere, but a folder without any write permission is refused to root too.
bool locked(const fs::path& folder) {
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 && (status.st_mode & 0222U) == 0;
}

bool same_device(const fs::path& a, const fs::path& b) {
  struct stat first {};
  struct stat second {};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev;
}

/// Only an attempt shows whether a folder is writable.
std::optional<fs::path> create_staging(const fs::path& parent, const fs::path& target) {
  if (locked(parent)) {
    errno = EACCES;
    return std::nullopt;
  }
  const std::string prefix = fmt::format(".{}.partial-", target.filename().string());
  remove_abandoned(parent, prefix);
  std::string name = (parent / (prefix + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) return std::nullopt;
  return fs::path(name);
}

[[noreturn]] void refuse(const fs::path& target, const fs::path& folder, int error) {
  const bool permission = error == EACCES || error == EPERM || error == EROFS;
  throw OutputError(fmt::format(
      "cannot write the folder {}: {} {}; choose another place", target.string(), folder.string(),
      permission ? "is read-only"
                 : fmt::format("cannot be used ({})", std::generic_category().message(error))));
}

bool is_owned(const std::string& name, const std::vector<std::string>& owned) {
  return std::any_of(owned.begin(), owned.end(), [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  });
}

/// Sorts the names, so that messages and the order of work do not depend on the file system.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void require_unoccupied(const fs::path& target, const std::vector<std::string>& owned) {
  std::vector<std::string> found;
  for (const std::string& name : names_in(target)) {
    if (is_owned(name, owned)) found.push_back(name);
  }
  if (found.empty()) return;
  throw OutputError(fmt::format(
      "the folder {} already holds {}{}; choose another folder, or have these files replaced "
      "(`force`)",
      target.string(),
      fmt::join(std::span(found).first(std::min<std::size_t>(3, found.size())), ", "),
      found.size() > 3 ? ", ..." : ""));
}

fs::path stage_for_existing(const fs::path& target) {
  const fs::path full = absolute_form(target);
  const std::optional<fs::path> inside = create_staging(full, full);
  if (!inside) refuse(target, target, errno);
  // Stage beside the target, so that readers of the target never see it; a rename needs one device.
  const std::optional<fs::path> beside = same_device(full, full.parent_path())
                                             ? create_staging(full.parent_path(), full)
                                             : std::nullopt;
  if (!beside) return *inside;
  fs::remove(*inside);
  return *beside;
}

fs::path stage_for_new(const fs::path& target) {
  const fs::path full = absolute_form(target);
  const fs::path parent = nearest_existing(full.parent_path());
  if (!fs::is_directory(parent)) {
    throw OutputError(
        fmt::format("cannot write the folder {}: {} is not a folder; choose another "
                    "place",
                    target.string(), parent.string()));
  }
  const std::optional<fs::path> staging = create_staging(parent, full);
  if (!staging) refuse(target, parent, errno);
  return *staging;
}

/// Returns the permissions of a new folder here. Asking the file system is the only way to learn
/// the umask without changing it for other threads.
void open_permissions(const fs::path& staging) {
  const fs::path probe = staging / ".permissions";
  if (::mkdir(probe.c_str(), 0777) != 0) {
    throw std::system_error(errno, std::generic_category());
  }
  const fs::perms permissions = fs::status(probe).permissions();
  fs::remove(probe);
  fs::permissions(staging, permissions);
}

void publish_new(const fs::path& staging, const fs::path& full) {
  open_permissions(staging);
  const fs::path existing = nearest_existing(full.parent_path());
  fs::create_directories(full.parent_path());
  std::error_code error;
  fs::rename(staging, full, error);
  if (!error) return;
  std::error_code ignored;
  for (fs::path level = full.parent_path(); level != existing; level = level.parent_path()) {
    fs::remove(level, ignored);
  }
  throw std::system_error(error);
}

/// Removes the marker first and adds it last, so that a folder with a marker is complete at every
/// moment.
void publish_into(const fs::path& staging, const fs::path& full,
                  const std::vector<std::string>& owned) {
  const std::string& marker = owned.back();
  fs::remove_all(full / marker);
  for (const std::string& name : names_in(full)) {
    if (is_owned(name, owned)) fs::remove_all(full / name);
  }
  for (const std::string& name : names_in(staging)) {
    if (name != marker) fs::rename(staging / name, full / name);
  }
  if (fs::exists(staging / marker)) fs::rename(staging / marker, full / marker);
  fs::remove(staging);
}

}  // namespace

StagedFolder::StagedFolder(fs::path target, std::vector<std::string> owned, bool force)
    : target_(std::move(target)), owned_(std::move(owned)), force_(force) {
  try {
    const fs::file_status status = fs::status(absolute_form(target_));
    if (fs::exists(status) && !fs::is_directory(status)) {
      throw OutputError(
          fmt::format("cannot write the folder {}: a file of that name exists; choose another name",
                      target_.string()));
    }
    if (fs::exists(status) && !force_) require_unoccupied(target_, owned_);
    staging_ = fs::exists(status) ? stage_for_existing(target_) : stage_for_new(target_);
    held_ = std::make_unique<HeldFolder>(staging_);
  } catch (const std::system_error& error) {
    refuse(target_, target_, error.code().value());
  }
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
}

void StagedFolder::publish() {
  const fs::path full = absolute_form(target_);
  try {
    if (fs::exists(full)) {
      if (!force_) require_unoccupied(target_, owned_);
      publish_into(staging_, full, owned_);
    } else {
      publish_new(staging_, full);
    }
  } catch (const std::system_error& error) {
    throw WriteError(
        fmt::format("cannot write the folder {}: {}", target_.string(), error.code().message()));
  }
  staging_.clear();
}

void write_text(const fs::path& path, const std::string& text) {
  OutputFile file(path);
  file.write_values(std::span<const char>(text));
  file.commit();
}

}  // namespace sunder
