#pragma once
/// What every method is told besides its own options.

#include <cstdint>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/progress.hpp"

namespace sunder {

struct RunOptions {
  int rank = 0;                ///< number of components of L; 0: chosen by the method, where it can
  std::uint64_t seed = 1;      ///< the same input, options and seed give the same bits
  int threads = 0;             ///< 0: one for each processor; never changes the result
  bool collect_sparse = true;  ///< false: S is counted, which needs no memory, but not listed
  ProgressCallback progress;   ///< called often; may cancel
  /// The true low-rank part, for methods that are told it (rtd-whiten-true); null: not known.
  const CpModel* true_low_rank = nullptr;
};

}  // namespace sunder
