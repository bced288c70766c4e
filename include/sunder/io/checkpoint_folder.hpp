#pragma once
/// A folder for the checkpoints of a run, from which an interrupted run can continue.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sunder/core/state_keeper.hpp"

namespace sunder {

/// The identity of a run as pairs of name and value: program, tensor, options. A checkpoint serves
/// only a run with the same identity.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

/// The folder holds `checkpoint` and the previous one, `checkpoint.previous`. One of them is
/// complete even if the process is killed at any moment. The folder is locked while the object
/// lives, so a second process is refused.
class CheckpointFolder final : public StateKeeper {
 public:
  struct Options {
    bool resume = false;                         ///< continue from the checkpoint in the folder
    bool force = false;                          ///< replace an existing checkpoint
    std::chrono::duration<double> interval{30};  ///< least time between two checkpoints
  };
  /// Throws OutputError if the folder is in use, cannot be written, or holds a checkpoint (unless
  /// `resume` or `force` is set). Throws InputError if there is no checkpoint to resume, or only
  /// one of another run; the message names the difference.
  CheckpointFolder(std::filesystem::path folder, RunIdentity identity, const Options& options);

  const std::vector<std::byte>& kept() const override { return kept_; }
  bool due() const override;
  void keep(const std::vector<std::byte>& state) override;

  /// Returns a warning if the latest checkpoint was damaged and the previous one is used; otherwise
  /// empty.
  const std::string& warning() const { return warning_; }

 private:
  void lock();
  void load();

  std::filesystem::path folder_;
  RunIdentity identity_;
  std::chrono::duration<double> interval_;
  std::shared_ptr<const void> lock_;  ///< held while the object lives
  std::vector<std::byte> kept_;
  std::string warning_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace sunder
