#pragma once
/// Keeps S as a pass finds it, as long as it is short.

#include <optional>
#include <vector>

#include "engine/pass/pass.hpp"
#include "sunder/core/communicator.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder::robust {

class FewOutliers {
 public:
  /// A sink for one pass that keeps what comes and hands it on. It replaces what an earlier sink
  /// has kept.
  SparseSink watching(SparseSink onward);

  /// All of S, from every process; nullopt if the pass found more than a million entries (`count`).
  std::optional<SparseTensor> all(const Shape& shape, Index count,
                                  const Communicator& communicator) const;

 private:
  std::vector<Index> positions_;
  std::vector<double> values_;
};

}  // namespace sunder::robust
