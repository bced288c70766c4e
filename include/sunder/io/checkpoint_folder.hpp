#pragma once
/// A folder in which a run keeps its state, to go on from there after an interruption.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sunder/core/state_keeper.hpp"

namespace sunder {

/// What a run is, by name: program, tensor, options. A checkpoint serves only a run that is the
/// same in all of it.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

/// Holds `checkpoint` and, of the time before, `checkpoint.previous`; whenever the process
/// is killed, one of them is whole. Locked as long as the object lives: a second process is
/// refused.
class CheckpointFolder final : public StateKeeper {
 public:
  struct Options {
    bool resume = false;                         ///< go on from what the folder holds
    bool force = false;                          ///< otherwise: what it holds may be replaced
    std::chrono::duration<double> interval{30};  ///< the state is kept at most this often
  };
  /// Throws OutputError if the folder is in use, cannot be written, or (unless told to resume or
  /// forced) holds a checkpoint; InputError if there is none to resume, or only of another run, in
  /// which case the difference is named.
  CheckpointFolder(std::filesystem::path folder, RunIdentity identity, const Options& options);

  const std::vector<std::byte>& kept() const override { return kept_; }
  bool due() const override;
  void keep(const std::vector<std::byte>& state) override;

  /// For people: that the latest checkpoint was damaged and the one before it is used; else empty.
  const std::string& warning() const { return warning_; }

 private:
  void lock();
  void load();

  std::filesystem::path folder_;
  RunIdentity identity_;
  std::chrono::duration<double> interval_;
  std::shared_ptr<const void> lock_;  ///< held as long as this lives
  std::vector<std::byte> kept_;
  std::string warning_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace sunder
