#pragma once
/// S as a pass finds it, kept as long as it is short, whatever else becomes of it.

#include <optional>
#include <vector>

#include "engine/pass/pass.hpp"
#include "sunder/core/communicator.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder::robust {

class FewOutliers {
 public:
  /// A sink for one pass that keeps what comes and hands it on. Whatever an earlier one kept is
  /// forgotten.
  SparseSink watching(SparseSink onward);

  /// All of S, from every process, if a pass found `count` entries and these are few: not more than
  /// a million, 16 MiB.
  std::optional<SparseTensor> all(const Shape& shape, Index count,
                                  const Communicator& communicator) const;

 private:
  std::vector<Index> positions_;
  std::vector<double> values_;
};

}  // namespace sunder::robust
