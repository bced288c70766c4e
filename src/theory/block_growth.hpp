#pragma once
/// One block of a support, grown from one of its fibres.

#include <vector>

#include "sunder/theory/block_structure.hpp"
#include "theory/support_index.hpp"

namespace sunder {

/// Index sets as marks, to ask whether an entry lies inside a block.
class BlockMembership {
 public:
  BlockMembership(const Shape& shape, const SupportBlock& block);
  /// Whether the entry lies inside in every mode but one (-1: in every mode).
  bool contains(const SupportIndex& support, Index entry, int except = -1) const;
  void replace(int mode, const std::vector<Index>& indices);

 private:
  std::vector<std::vector<char>> inside_;  ///< of each mode, of each index
};

class BlockGrower {
 public:
  BlockGrower(const SupportIndex& support, double fill) : support_(support), fill_(fill) {}

  /// The block around a fibre along `mode`. Its indices in that mode are those of the fibre; the
  /// other sets are as large as the support fills them.
  SupportBlock grow(int mode, Index fibre) const;
  /// Every index joins or leaves, mode by mode, as its own slice of the block is filled or not:
  /// what a stray entry or a hole did to the fibre is mended. The sets may become empty.
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
