#pragma once
/// Boxes in which S is dense. The support of a component is a product of index sets, so that a
/// component that the model lacks shows as such a box.

#include <cstdint>
#include <vector>

#include "algorithms/robust_cp/core/sampling.hpp"

namespace sunder::robust {

/// The entries of S in a window: 1, or 0 for entries that are fitted; `known` likewise.
struct SparseMarks {
  Shape shape;
  std::vector<std::uint8_t> sparse;
  std::vector<std::uint8_t> known;  ///< empty if nothing is missing

  bool is_known(Index i) const { return known.empty() || known[i] != 0; }
};

struct Box {
  IndexSets sets;
  Index sparse = 0;  ///< entries of S in it
  Index known = 0;   ///< observed entries in it
  double nats = 0;   ///< the log odds against so dense a box by accident, anywhere
  /// The same among errors that are everywhere as dense as in the slices of the box.
  double nats_in_slices = 0;
  bool surprising() const { return nats > 0; }
};

/// All of a window.
Box whole(const Shape& shape);

/// The densest boxes that alternating choices of rows find, the most surprising first.
std::vector<Box> dense_boxes(const SparseMarks& marks, Rng& rng);

/// Whether some fibre holds more entries of S than accident explains: a component can be at work on
/// a part of a fibre alone, whatever its entries are.
bool has_dense_fibre(const SparseMarks& marks);

}  // namespace sunder::robust
