#pragma once
/// `--checkpoint` and `--resume`: a run that survives being killed.

#include <memory>
#include <string>

#include "cli/cli.hpp"
#include "engine/source/source.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/communicator.hpp"
#include "sunder/io/checkpoint_folder.hpp"

namespace sunder::cli {

class CheckpointFlags {
 public:
  void add_flags(CLI::App& command);
  bool wanted() const { return !begin_.empty() || !resume_.empty(); }
  const std::string& folder() const { return resume_.empty() ? begin_ : resume_; }

  /// Throws OptionError for flags that contradict each other or the method.
  void check(const Method& method) const;

  /// The keeper of this process, null if none is wanted. The first process alone has a folder; the
  /// others are told what it holds. `identity` need not name program and tensor.
  std::unique_ptr<StateKeeper> open(RunIdentity identity, Source& tensor,
                                    const Communicator& processes, const Talk& talk,
                                    bool force) const;

  /// What an interrupted run says.
  [[noreturn]] void throw_cancelled() const;

 private:
  std::string begin_;
  std::string resume_;
  double interval_ = 30;
};

/// A number that changes with the entries of a tensor, from a few thousand of them spread over it.
/// Every process reads those of its share: no other need be at hand.
std::string fingerprint(Source& tensor, const Communicator& processes);

}  // namespace sunder::cli
