#pragma once
/// What happens to each entry of L*: corruption, noise, absence. Every random number is a function
/// of the entry's position, so entries can be worked on in any order and by any thread.

#include <span>
#include <vector>

#include "data/sparse_run.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {

/// Position of the entry whose index is this one in ascending order: entries of a symmetric tensor
/// that must be equal share it. The extents are equal.
Index sorted_position(const Shape& shape, ModeIndices index);

class EntryModel {
 public:
  /// `noise_deviation` is that of the noise in absolute terms.
  EntryModel(const PlantedOptions& options, double noise_deviation);

  /// Turns L into T on the entries first .. first + entries.size() (positions in C order), and
  /// appends what it added as S to `sparse`. May be called by several threads at once.
  void apply(Index first, std::span<double> entries, SparseRun& sparse) const;

 private:
  /// For each index of a mode, the set of blocks that it belongs to, as words of 64 bits.
  using Membership = std::vector<std::uint64_t>;

  Membership draw_membership(int mode) const;
  bool in_a_block(const ModeIndices& index) const;

  const PlantedOptions& options_;
  double noise_deviation_;
  double value_scale_;     ///< r / sqrt(n1 n2 ...) times the magnitude: the largest value of S
  std::size_t words_ = 0;  ///< words of one set of blocks
  std::vector<Membership> membership_;  ///< of each mode; empty unless the support is of blocks
};

}  // namespace sunder
