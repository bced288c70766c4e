#include "theory/support_index.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <unordered_map>

#include "sunder/core/tensor_view.hpp"

namespace sunder {

SupportIndex::SupportIndex(const SparseTensor& sparse)
    : shape_(sparse.shape()),
      count_(sparse.count()),
      strides_(contiguous_strides(sparse.shape(), StorageOrder::c)),
      coordinates_(static_cast<std::size_t>(sparse.shape().order())),
      fibres_(coordinates_.size()) {
  for (std::vector<Index>& list : coordinates_) list.reserve(count_);
  for (Index entry = 0; entry < count_; ++entry) {
    const ModeIndices index = sparse.coordinates(entry);
    for (std::size_t mode = 0; mode < coordinates_.size(); ++mode) {
      coordinates_[mode].push_back(index[mode]);
    }
  }
  for (int mode = 0; mode < order(); ++mode) {
    gather_fibres(sparse, mode);
    number_patterns(mode);
  }
}

void SupportIndex::gather_fibres(const SparseTensor& sparse, int mode) {
  struct Keyed {
    Index key;
    Index entry;
    bool operator<(const Keyed& other) const {
      return std::tie(key, entry) < std::tie(other.key, other.entry);
    }
  };
  std::vector<Keyed> keyed;
  keyed.reserve(count_);
  for (Index entry = 0; entry < count_; ++entry) {
    const Index position = sparse.positions()[entry];
    keyed.push_back({position - coordinate(mode, entry) * stride(mode), entry});
  }
  // Entries are sorted by position, so those of a fibre end up in order along it.
  std::sort(keyed.begin(), keyed.end());
  ModeFibres& fibres = fibres_[mode];
  fibres.entries.reserve(keyed.size());
  fibres.along.reserve(keyed.size());
  for (const Keyed& item : keyed) {
    if (fibres.key.empty() || fibres.key.back() != item.key) {
      fibres.key.push_back(item.key);
      fibres.begin.push_back(std::ssize(fibres.entries));
    }
    fibres.entries.push_back(item.entry);
    fibres.along.push_back(coordinate(mode, item.entry));
  }
  fibres.begin.push_back(count_);
}

void SupportIndex::number_patterns(int mode) {
  ModeFibres& fibres = fibres_[mode];
  std::unordered_map<std::uint64_t, Index>
      first_with;  // maps a hash to the first fibre that has it
  fibres.pattern_of.reserve(fibres.key.size());
  for (Index f = 0; f < fibres.count(); ++f) {
    std::uint64_t hash = 0;
    for (const Index i : fibres.indices(f)) {
      // Every bit of every index, and their order, affect every bit of the hash.
      hash += static_cast<std::uint64_t>(i) + 0x9e3779b97f4a7c15U;
      hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
      hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
      hash ^= hash >> 31;
    }
    // Two patterns with the same hash stay distinct: the second takes the next free number.
    auto found = first_with.find(hash);
    while (found != first_with.end() &&
           !std::ranges::equal(fibres.indices(found->second), fibres.indices(f))) {
      found = first_with.find(++hash);
    }
    if (found == first_with.end()) {
      first_with.emplace(hash, f);
      fibres.pattern_of.push_back(fibres.patterns++);
    } else {
      fibres.pattern_of.push_back(fibres.pattern_of[found->second]);
    }
  }
}

}  // namespace sunder
