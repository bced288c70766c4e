#pragma once
/// Pieces of a sparse tensor that threads collect separately and join in order.

#include <span>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder {

/// Non-zero entries in ascending order of position.
struct SparseRun {
  std::vector<Index> positions;
  std::vector<double> values;

  void append(std::span<const SparseRun> runs) {
    for (const SparseRun& run : runs) {
      positions.insert(positions.end(), run.positions.begin(), run.positions.end());
      values.insert(values.end(), run.values.begin(), run.values.end());
    }
  }
};

}  // namespace sunder
