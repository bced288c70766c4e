#pragma once
/// The growth of one block of a support from one of its fibres.

#include <vector>

#include "sunder/theory/block_structure.hpp"
#include "theory/support_index.hpp"

namespace sunder {

/// Index sets stored as flags, for a fast test whether an entry lies inside a block.
class BlockMembership {
 public:
  BlockMembership(const Shape& shape, const SupportBlock& block);
  /// Returns true if the entry lies inside in every mode except `except` (-1: in every mode).
  bool contains(const SupportIndex& support, Index entry, int except = -1) const;
  void replace(int mode, const std::vector<Index>& indices);

 private:
  std::vector<std::vector<char>> inside_;  ///< one flag per mode and index
};

class BlockGrower {
 public:
  BlockGrower(const SupportIndex& support, double fill) : support_(support), fill_(fill) {}

  /// Grows the block around a fibre along `mode`. Its indices in that mode are those of the fibre;
  /// its other index sets are as large as the support fills them.
  SupportBlock grow(int mode, Index fibre) const;
  /// Adds or removes every index, mode by mode, as its slice of the block is filled or not. This
  /// repairs the effect of a stray entry or a hole in the fibre. The sets may become empty.
  SupportBlock refined(SupportBlock block) const;

 private:
  Index needed(Index cells) const;
  std::vector<Index> fibres_with(int mode, Index fibre) const;
  std::vector<Index> filled_along(int mode, const std::vector<Index>& line,
                                  const std::vector<Index>& keys) const;

  const SupportIndex& support_;
  double fill_;
};

}  // namespace sunder
