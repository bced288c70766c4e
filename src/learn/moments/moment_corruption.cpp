#include <algorithm>
#include <cmath>

#include "core/random_order.hpp"
#include "core/require_option.hpp"
#include "sunder/core/rng.hpp"
#include "sunder/learn/moment_model.hpp"

namespace sunder {

namespace {

constexpr std::uint64_t choice_stream = 40;
constexpr std::uint64_t value_stream = 41;

std::vector<Index> chosen(Index variables, Index count, std::uint64_t seed) {
  Rng rng(seed, choice_stream);
  return draw_distinct(variables, count, rng);
}

/// Corrupts every entry of the block, equally for all orders of its indices.
void corrupt_block(SymmetricMoments& moments, std::span<const Index> block, double magnitude,
                   Rng& rng) {
  const Index n = moments.variables();
  const auto factor = [&] { return 1 + magnitude * rng.uniform(0.5, 1.5); };
  for (std::size_t a = 0; a < block.size(); ++a) {
    for (std::size_t b = a; b < block.size(); ++b) {
      const Index i = block[a];
      const Index j = block[b];
      moments.second(i, j) = moments.second(j, i) = moments.second(i, j) * factor();
      for (std::size_t c = b; c < block.size(); ++c) {
        const Index k = block[c];
        const double value = moments.third(i, j + n * k) * factor();
        Index index[] = {i, j, k};
        std::sort(index, index + 3);
        do {
          moments.third(index[0], index[1] + n * index[2]) = value;
        } while (std::next_permutation(index, index + 3));
      }
    }
  }
}

}  // namespace

std::vector<Index> corrupt(SymmetricMoments& moments, const MomentCorruption& corruption) {
  require_share("share", corruption.share);
  require_option(corruption.magnitude >= 0, "magnitude", "not negative", corruption.magnitude);
  require_option(corruption.blocks >= 1, "blocks", "at least 1", corruption.blocks);
  const Index n = moments.variables();
  const auto count = static_cast<Index>(std::lround(corruption.share * static_cast<double>(n)));
  std::vector<Index> variables = chosen(n, count, corruption.seed);
  Rng rng(corruption.seed, value_stream);
  const auto blocks = static_cast<std::size_t>(corruption.blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t begin = variables.size() * b / blocks;
    const std::size_t end = variables.size() * (b + 1) / blocks;
    corrupt_block(moments, std::span(variables).subspan(begin, end - begin), corruption.magnitude,
                  rng);
  }
  std::sort(variables.begin(), variables.end());
  return variables;
}

SymmetricMoments exact_moments(const Matrix& components, const Vector& second_weights,
                               const Vector& third_weights) {
  SymmetricMoments moments;
  moments.first = components * second_weights;
  moments.second = components * second_weights.asDiagonal() * components.transpose();
  moments.third =
      components * third_weights.asDiagonal() * khatri_rao(components, components).transpose();
  return moments;
}

}  // namespace sunder
