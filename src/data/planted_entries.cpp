#include "data/planted_entries.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "data/planted_streams.hpp"

namespace sunder {

Index sorted_position(const Shape& shape, ModeIndices index) {
  // Insertion sort: there are at most eight indices, and the compiler sees that it stays in bounds.
  for (std::size_t end = 1; end < static_cast<std::size_t>(shape.order()); ++end) {
    for (std::size_t k = end; k > 0 && index[k] < index[k - 1]; --k) {
      std::swap(index[k], index[k - 1]);
    }
  }
  return shape.linear(index);
}

EntryModel::EntryModel(const PlantedOptions& options, double noise_deviation)
    : options_(options),
      noise_deviation_(noise_deviation),
      value_scale_(options.magnitude * options.rank /
                   std::sqrt(static_cast<double>(options.shape.entries()))) {
  if (options.support != Support::block) return;
  words_ = (static_cast<std::size_t>(options.blocks) + 63) / 64;
  for (int mode = 0; mode < options.shape.order(); ++mode) {
    const bool same = options.symmetric && mode > 0;
    membership_.push_back(same ? membership_.front() : draw_membership(mode));
  }
}

EntryModel::Membership EntryModel::draw_membership(int mode) const {
  const auto extent = static_cast<std::size_t>(options_.shape[mode]);
  Membership sets(extent * words_, 0);
  Rng random = stream(options_.seed, Purpose::blocks, mode);
  for (std::size_t block = 0; block < static_cast<std::size_t>(options_.blocks); ++block) {
    for (std::size_t i = 0; i < extent; ++i) {
      const std::uint64_t in = random.bernoulli(options_.density) ? 1 : 0;
      sets[i * words_ + block / 64] |= in << (block % 64);
    }
  }
  return sets;
}

bool EntryModel::in_a_block(const ModeIndices& index) const {
  for (std::size_t word = 0; word < words_; ++word) {
    std::uint64_t common = ~std::uint64_t{0};
    for (std::size_t mode = 0; mode < membership_.size(); ++mode) {
      common &= membership_[mode][static_cast<std::size_t>(index[mode]) * words_ + word];
    }
    if (common != 0) return true;
  }
  return false;
}

void EntryModel::apply(Index first, std::span<double> entries, SparseRun& sparse) const {
  Rng missing = stream(options_.seed, Purpose::missing);
  Rng support = stream(options_.seed, Purpose::support);
  Rng value = stream(options_.seed, Purpose::value);
  Rng sign = stream(options_.seed, Purpose::sign);
  Rng noise = stream(options_.seed, Purpose::noise);
  const auto at = [](Rng& random, Index position) -> Rng& {
    random.seek(static_cast<std::uint64_t>(position));
    return random;
  };
  const auto corrupted = [&](const ModeIndices& index, Index key) {
    if (options_.support == Support::none) return false;
    if (options_.support == Support::block) return in_a_block(index);
    return at(support, key).bernoulli(options_.density);
  };
  const auto last = static_cast<std::size_t>(options_.shape.order() - 1);
  ModeIndices index = options_.shape.unravel(first);
  for (std::size_t k = 0; k < entries.size(); ++k, ++index[last]) {
    const Index position = first + static_cast<Index>(k);
    if (index[last] == options_.shape[static_cast<int>(last)]) {
      index = options_.shape.unravel(position);
    }
    // The position that selects the entry's random numbers.
    const Index key = options_.symmetric ? sorted_position(options_.shape, index) : position;
    if (options_.missing > 0 && at(missing, key).bernoulli(options_.missing)) {
      entries[k] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    if (corrupted(index, key)) {
      double s = at(value, key).uniform(value_scale_ / 2, value_scale_);
      if (options_.signs == Signs::random && at(sign, key).bernoulli(0.5)) s = -s;
      sparse.positions.push_back(position);
      sparse.values.push_back(s);
      entries[k] += s;
    }
    if (noise_deviation_ > 0) entries[k] += noise_deviation_ * at(noise, key).normal();
  }
}

}  // namespace sunder
