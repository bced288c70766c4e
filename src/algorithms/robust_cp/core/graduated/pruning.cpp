#include "algorithms/robust_cp/core/graduated/pruning.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "algorithms/robust_cp/core/graduated/small_als.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "core/dense.hpp"

namespace sunder::robust {

namespace {

namespace graduated = levels::graduated;

/// A model as basis times a small model, mode by mode.
struct Compressed {
  std::vector<Matrix> basis;
  Shape shape;
  Entries entries;
};

Compressed compress(const Factors& model) {
  Compressed small;
  Factors triangle;
  std::vector<Index> extents;
  for (const Matrix& factor : model) {
    Qr qr = thin_qr(factor);
    small.basis.push_back(std::move(qr.basis));
    triangle.push_back(std::move(qr.triangle));
    extents.push_back(small.basis.back().cols());
  }
  small.shape = Shape(extents);
  small.entries = evaluate(triangle);
  return small;
}

}  // namespace

Pruning choose_components(const Eigen::ArrayXd& loss, int rank) {
  Pruning pruning;
  std::vector<Index>& by_loss = pruning.kept;
  by_loss.resize(loss.size());
  std::iota(by_loss.begin(), by_loss.end(), Index{0});
  std::stable_sort(by_loss.begin(), by_loss.end(),
                   [&](Index a, Index b) { return loss[a] > loss[b]; });
  const auto r = static_cast<std::size_t>(rank);
  pruning.clear =
      loss[by_loss[r - 1]] > graduated::clear_gap * std::max(loss[by_loss[r]], graduated::no_loss);
  const std::size_t surplus = by_loss.size() - r;
  const std::size_t part = (surplus + graduated::pruned_part - 1) / graduated::pruned_part;
  by_loss.resize(pruning.clear ? r : by_loss.size() - part);
  return pruning;
}

Factors best_of_lower_rank(const Factors& model, const Factors& chosen, const CoreSample& sample,
                           double c, Rng& rng) {
  if (chosen.size() < 3) return chosen;
  const Compressed small = compress(model);
  const int rank = static_cast<int>(chosen.front().cols());
  Factors best = chosen;
  double lowest = robust_cost(sample.residual(chosen), c);
  Factors start;
  for (std::size_t m = 0; m < chosen.size(); ++m) {
    start.push_back(small.basis[m].transpose() * chosen[m]);
  }
  for (int attempt = 0; attempt < graduated::refits; ++attempt) {
    Factors candidate =
        small_als(small.shape, small.entries, rank, rng,
                  {.sweeps = graduated::refit_sweeps, .tolerance = graduated::refit_tolerance},
                  attempt == 0 ? &start : nullptr)
            .factors;
    for (std::size_t m = 0; m < candidate.size(); ++m) {
      candidate[m] = small.basis[m] * candidate[m];
    }
    const double cost = robust_cost(sample.residual(candidate), c);
    if (cost < lowest) {
      lowest = cost;
      best = std::move(candidate);
    }
  }
  return best;
}

}  // namespace sunder::robust
