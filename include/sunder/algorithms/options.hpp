#pragma once
/// What every method is told besides its own options.

#include <cstdint>
#include <memory>

#include "sunder/core/communicator.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_receiver.hpp"
#include "sunder/core/state_keeper.hpp"

namespace sunder {

struct RunOptions {
  int rank = 0;                ///< number of components of L; 0: chosen by the method, where it can
  std::uint64_t seed = 1;      ///< the same input, options and seed give the same bits
  int threads = 0;             ///< 0: one for each processor; never changes the result
  bool collect_sparse = true;  ///< false: S is counted, which needs no memory, but not listed
  /// Takes S instead of the result, whose own stays empty; robust-cp alone heeds it. Null: nobody.
  SparseReceiver* sparse_receiver = nullptr;
  std::int64_t memory = 0;  ///< bytes that robust-cp may use for its core; 0: no limit
  /// The processes that work on the tensor together, each with the whole of it at hand; robust-cp
  /// alone heeds it. Null: this one alone.
  std::shared_ptr<const Communicator> communicator;
  /// Keeps what is needed to go on after an interruption; robust-cp alone heeds it. The same bytes
  /// are kept() for every process, and the first one alone keeps. Null: nothing is kept.
  StateKeeper* state_keeper = nullptr;
  ProgressCallback progress;  ///< called often; may cancel
  /// The true low-rank part, for methods that are told it (rtd-whiten-true); null: not known.
  const CpModel* true_low_rank = nullptr;
};

}  // namespace sunder
