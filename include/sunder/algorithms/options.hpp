#pragma once
/// The options of a run, which are the same for every method.

#include <cstdint>
#include <memory>

#include "sunder/core/communicator.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_receiver.hpp"
#include "sunder/core/state_keeper.hpp"

namespace sunder {

/// A method that cannot heed a field refuses it (MethodAbilities says which these are).
struct RunOptions {
  int rank = 0;                ///< number of components of L; 0: chosen by the method, where it can
  std::uint64_t seed = 1;      ///< the same input, options and seed give the same bits
  int threads = 0;             ///< 0: one for each processor; never changes the result
  bool collect_sparse = true;  ///< false: S is counted, which needs no memory, but not listed
  /// If set, S is streamed to this receiver, and Decomposition::sparse stays empty.
  SparseReceiver* sparse_receiver = nullptr;
  std::int64_t memory = 0;  ///< bytes that the method may use beside the tensor; 0: no limit
  /// Seconds after which the method stops and gives the best that it has found (0: no limit). The
  /// pass that finds S for it comes on top. A resumed run has this time anew.
  double max_seconds = 0;
  /// The processes that work on the tensor together, each with the whole of it at hand. Null: this
  /// one alone.
  std::shared_ptr<const Communicator> communicator;
  /// Keeps what is needed to resume the run after an interruption. kept() gives the same bytes to
  /// every process, and only the first one keeps. Null: nothing is kept.
  StateKeeper* state_keeper = nullptr;
  ProgressCallback progress;  ///< called often; may cancel
  /// The true low-rank part, for rtd-whiten-true and for measuring errors; null: not known.
  const CpModel* true_low_rank = nullptr;
};

}  // namespace sunder
