/// psi^m    the indices of the block in mode m
/// key      position (C order) of a cell whose indices in the modes already treated are 0

#include "theory/block_growth.hpp"

#include <algorithm>
#include <cmath>

namespace sunder {

BlockMembership::BlockMembership(const Shape& shape, const SupportBlock& block)
    : inside_(block.indices.size()) {
  for (std::size_t mode = 0; mode < inside_.size(); ++mode) {
    inside_[mode].resize(shape[static_cast<int>(mode)]);
    replace(static_cast<int>(mode), block.indices[mode]);
  }
}

void BlockMembership::replace(int mode, const std::vector<Index>& indices) {
  std::vector<char>& marks = inside_[mode];
  std::fill(marks.begin(), marks.end(), char{0});
  for (const Index i : indices) marks[i] = 1;
}

bool BlockMembership::contains(const SupportIndex& support, Index entry, int except) const {
  for (int mode = 0; mode < support.order(); ++mode) {
    const auto index = static_cast<std::size_t>(support.coordinate(mode, entry));
    if (mode != except && inside_[mode][index] == 0) return false;
  }
  return true;
}

/// Returns how many of so many cells must be in the support.
Index BlockGrower::needed(Index cells) const {
  // The small number prevents 0.95 * 20 from becoming 19.000000000000004.
  return std::max<Index>(1,
                         static_cast<Index>(std::ceil(fill_ * static_cast<double>(cells) - 1e-6)));
}

/// Returns the keys of the fibres along `mode` that contain (almost) all indices of the given
/// fibre, ascending.
std::vector<Index> BlockGrower::fibres_with(int mode, Index fibre) const {
  const ModeFibres& fibres = support_.fibres(mode);
  std::vector<char> in_pattern(support_.shape()[mode], 0);
  for (const Index i : fibres.indices(fibre)) in_pattern[i] = 1;
  const Index least = needed(static_cast<Index>(fibres.indices(fibre).size()));
  std::vector<Index> keys;
  for (Index f = 0; f < fibres.count(); ++f) {
    const auto members = fibres.indices(f);
    if (std::ssize(members) < least) continue;
    const auto common =
        std::count_if(members.begin(), members.end(), [&](Index i) { return in_pattern[i] != 0; });
    if (common >= least) keys.push_back(fibres.key[f]);
  }
  return keys;
}

/// Returns the keys without their index in `mode` for which (almost) all indices of `line` are
/// present.
std::vector<Index> BlockGrower::filled_along(int mode, const std::vector<Index>& line,
                                             const std::vector<Index>& keys) const {
  const Index stride = support_.stride(mode);
  const Index extent = support_.shape()[mode];
  std::vector<char> in_line(extent, 0);
  for (const Index i : line) in_line[i] = 1;
  std::vector<Index> bases;
  for (const Index key : keys) {
    const Index i = key / stride % extent;
    if (in_line[i] != 0) bases.push_back(key - i * stride);
  }
  std::sort(bases.begin(), bases.end());
  const Index least = needed(std::ssize(line));
  std::vector<Index> filled;
  for (auto first = bases.begin(); first != bases.end();) {
    const auto last = std::upper_bound(first, bases.end(), *first);
    if (last - first >= least) filled.push_back(*first);
    first = last;
  }
  return filled;
}

SupportBlock BlockGrower::grow(int mode, Index fibre) const {
  SupportBlock block;
  block.indices.resize(support_.order());
  const auto pattern = support_.fibres(mode).indices(fibre);
  block.indices[mode].assign(pattern.begin(), pattern.end());
  std::vector<Index> keys = fibres_with(mode, fibre);
  Index seed = support_.fibres(mode).key[fibre];
  for (int other = 0; other < support_.order(); ++other) {
    if (other == mode) continue;
    const Index stride = support_.stride(other);
    const Index extent = support_.shape()[other];
    seed -= seed / stride % extent * stride;
    // psi^other: the cells of the line through the seed that are among the keys.
    std::vector<Index>& line = block.indices[other];
    for (const Index key : keys) {
      const Index i = key / stride % extent;
      if (key - i * stride == seed) line.push_back(i);
    }
    keys = filled_along(other, line, keys);
  }
  return block;
}

SupportBlock BlockGrower::refined(SupportBlock block) const {
  BlockMembership membership(support_.shape(), block);
  for (int mode = 0; mode < support_.order(); ++mode) {
    std::vector<Index>& indices = block.indices[mode];
    if (indices.empty()) return block;
    const Index slice_cells = block.cells() / std::ssize(indices);
    std::vector<Index> in_slice(support_.shape()[mode], 0);
    for (Index entry = 0; entry < support_.count(); ++entry) {
      if (!membership.contains(support_, entry, mode)) continue;
      ++in_slice[support_.coordinate(mode, entry)];
    }
    indices.clear();
    for (std::size_t i = 0; i < in_slice.size(); ++i) {
      if (in_slice[i] >= needed(slice_cells)) indices.push_back(static_cast<Index>(i));
    }
    membership.replace(mode, indices);
  }
  return block;
}

}  // namespace sunder
