#include "sunder/io/checkpoint_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "core/files/state_file.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace fs = std::filesystem;

namespace {

constexpr StateKind kind{"sundrchk", 1, "checkpoint"};

fs::path latest(const fs::path& folder) { return folder / "checkpoint"; }
fs::path previous(const fs::path& folder) { return folder / "checkpoint.previous"; }

struct Contents {
  std::vector<std::string> identity;  ///< name, value, name, value ...
  std::vector<std::byte> state;
};
template <class Archive>
void describe(Archive& archive, Contents& contents) {
  archive(contents.identity);
  archive(contents.state);
}

Contents read_contents(const fs::path& path) {
  StateReader reader(read_state(path, kind), path.string());
  Contents contents;
  reader(contents);
  reader.finish();
  reader.require(contents.identity.size() % 2 == 0);
  return contents;
}

/// Removes files that a killed process left while it was writing.
void remove_fragments(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with(".checkpoint.")) fs::remove(entry, ignored);
  }
}

/// Describes the differences, as in "rank is 5 there and 6 here; seed ..."; empty if there are
/// none.
std::string differences(const std::vector<std::string>& there, const RunIdentity& here) {
  const auto value_there = [&](const std::string& name) -> std::optional<std::string> {
    for (std::size_t k = 0; k + 1 < there.size(); k += 2) {
      if (there[k] == name) return there[k + 1];
    }
    return std::nullopt;
  };
  std::string text;
  for (const auto& [name, value] : here) {
    const std::string other = value_there(name).value_or("not known");
    if (other == value) continue;
    text +=
        fmt::format("{}{} is {} there, but {} here", text.empty() ? "" : "; ", name, other, value);
  }
  return text;
}

}  // namespace

CheckpointFolder::CheckpointFolder(fs::path folder, RunIdentity identity, const Options& options)
    : folder_(std::move(folder)), identity_(std::move(identity)), interval_(options.interval) {
  if (options.resume && !fs::is_directory(folder_)) {
    throw InputError(
        fmt::format("there is no checkpoint in {}: check the path, or begin with `checkpoint`",
                    folder_.string()));
  }
  std::error_code problem;
  fs::create_directories(folder_, problem);
  if (problem) {
    throw OutputError(fmt::format("cannot create the folder {} for checkpoints: {}",
                                  folder_.string(), problem.message()));
  }
  lock();
  remove_fragments(folder_);
  const bool holds_one = fs::exists(latest(folder_)) || fs::exists(previous(folder_));
  if (options.resume) {
    load();
  } else if (holds_one && !options.force) {
    throw OutputError(fmt::format(
        "{} holds a checkpoint already: go on with `resume` {}, or replace it with `force`",
        folder_.string(), folder_.string()));
  } else {
    keep({});  // now there is a state to resume, and a full disk has been detected
  }
  last_ = std::chrono::steady_clock::now();
}

void CheckpointFolder::lock() {
  const fs::path path = folder_ / "lock";
  // O_NOFOLLOW: a link could create a file anywhere.
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    throw OutputError(fmt::format("cannot write in {} for checkpoints: {}", folder_.string(),
                                  std::strerror(errno)));
  }
  lock_ = std::shared_ptr<const void>(nullptr, [descriptor](const void*) { ::close(descriptor); });
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) return;  // a file system without locks cannot tell
  throw OutputError(fmt::format(
      "another process keeps its checkpoints in {}: wait for it, or choose another folder",
      folder_.string()));
}

void CheckpointFolder::load() {
  std::string damage;
  for (const fs::path& path : {latest(folder_), previous(folder_)}) {
    if (!fs::exists(path)) continue;
    try {
      Contents contents = read_contents(path);
      const std::string difference = differences(contents.identity, identity_);
      if (!difference.empty()) {
        damage =
            fmt::format("the checkpoint in {} is of another run: {}", folder_.string(), difference);
        break;
      }
      kept_ = std::move(contents.state);
      if (!damage.empty()) warning_ = damage + "; going on from the one before it";
      return;
    } catch (const InputError& error) {
      if (damage.empty()) damage = error.what();
    }
  }
  throw InputError(
      damage.empty()
          ? fmt::format("there is no checkpoint in {}: begin with `checkpoint`", folder_.string())
          : damage);
}

bool CheckpointFolder::due() const { return std::chrono::steady_clock::now() - last_ >= interval_; }

void CheckpointFolder::keep(const std::vector<std::byte>& state) {
  Contents contents;
  for (const auto& [name, value] : identity_) {
    contents.identity.push_back(name);
    contents.identity.push_back(value);
  }
  contents.state = state;
  StateWriter writer;
  writer(contents);
  const fs::path fresh = folder_ / "checkpoint.next";
  write_state(fresh, kind, writer.bytes());
  std::error_code problem;
  if (fs::exists(latest(folder_))) fs::rename(latest(folder_), previous(folder_), problem);
  if (!problem) fs::rename(fresh, latest(folder_), problem);
  if (problem) {
    throw WriteError(
        fmt::format("cannot keep a checkpoint in {}: {}", folder_.string(), problem.message()));
  }
  last_ = std::chrono::steady_clock::now();
}

}  // namespace sunder
