#pragma once
/// An index of the support of a sparse tensor by entries, fibres and the patterns of its fibres.

#include <span>
#include <vector>

#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

/// The fibres along one mode that contain at least one entry.
struct ModeFibres {
  std::vector<Index> entries;     ///< all entries, grouped by fibre and in order along it
  std::vector<Index> along;       ///< the index of each entry in the mode, in the same order
  std::vector<Index> begin;       ///< fibre f has entries[begin[f]] .. entries[begin[f + 1] - 1]
  std::vector<Index> key;         ///< position of the fibre's cell 0; ascending
  std::vector<Index> pattern_of;  ///< one per fibre; fibres with the same indices share a pattern
  Index patterns = 0;

  Index count() const { return std::ssize(key); }
  /// Return the entries of a fibre, and their indices along it.
  std::span<const Index> fibre(Index f) const { return part(entries, f); }
  std::span<const Index> indices(Index f) const { return part(along, f); }

 private:
  std::span<const Index> part(const std::vector<Index>& list, Index f) const {
    const auto at = static_cast<std::size_t>(f);
    return {list.data() + begin[at], list.data() + begin[at + 1]};
  }
};

class SupportIndex {
 public:
  explicit SupportIndex(const SparseTensor& sparse);

  const Shape& shape() const { return shape_; }
  int order() const { return shape_.order(); }
  Index count() const { return count_; }
  Index stride(int mode) const { return strides_[mode]; }
  Index coordinate(int mode, Index entry) const { return coordinates_[mode][entry]; }
  const ModeFibres& fibres(int mode) const { return fibres_[mode]; }

 private:
  void gather_fibres(const SparseTensor& sparse, int mode);
  void number_patterns(int mode);

  Shape shape_;
  Index count_ = 0;
  ModeIndices strides_{};
  std::vector<std::vector<Index>> coordinates_;  ///< by mode and entry
  std::vector<ModeFibres> fibres_;
};

}  // namespace sunder
