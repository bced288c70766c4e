#pragma once
/// Tensors of which a robust fit finds a model that fits many entries, though another one fits
/// more: components on boxes, rows that are altered where their entries are largest, and errors
/// that are components themselves.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/robust_cp/consensus/window.hpp"
#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "planted_problem.hpp"

namespace sunder::test {

using robust::Factors;

/// A component of normal rows.
inline Factors normal_component(const Shape& shape, Rng& rng) {
  Factors factors;
  for (const Index extent : shape) {
    factors.emplace_back(Matrix::NullaryExpr(extent, 1, [&] { return rng.normal(); }));
  }
  return factors;
}

/// So many of them.
inline Factors normal_components(const Shape& shape, int count, Rng& rng) {
  Factors factors = normal_component(shape, rng);
  for (int k = 1; k < count; ++k) factors = robust::joined(factors, normal_component(shape, rng));
  return factors;
}

/// The component on `count` rows of each mode, from `first` on.
inline Factors on_box(Factors factors, Index first, Index count) {
  for (Matrix& factor : factors) {
    factor.topRows(first).setZero();
    factor.bottomRows(factor.rows() - first - count).setZero();
  }
  return factors;
}

struct Recipe {
  DenseTensor tensor;
  Factors truth;

  explicit Recipe(Factors model) : tensor(dense(model_of(model))), truth(std::move(model)) {}

  const Shape& shape() const { return tensor.shape(); }
  double error(const Factors& factors) const {
    return robust::distance(factors, truth) / robust::norm(truth);
  }
  double error(const CpModel& model) const {
    return model.distance(model_of(truth)) / robust::norm(truth);
  }

  /// Normal errors of three times the size of L.
  void corrupt(double share, Rng& rng) {
    const double size =
        robust::norm(truth) / std::sqrt(static_cast<double>(tensor.shape().entries()));
    for (double& x : tensor.typed<double>()) {
      if (rng.bernoulli(share)) x += 3 * size * rng.normal();
    }
  }
  void lose(double share, Rng& rng) {
    for (double& x : tensor.typed<double>()) {
      if (rng.bernoulli(share)) x = std::numeric_limits<double>::quiet_NaN();
    }
  }
  /// Adds a component that is no part of L.
  void add_to_sparse(const Factors& component) {
    const robust::Entries added = robust::evaluate(component);
    const auto entries = tensor.typed<double>();
    for (Index i = 0; i < added.size(); ++i) entries[i] += added[i];
  }

  /// All of the tensor, with residuals below a millionth of its spread as rounding.
  robust::Window window() const {
    robust::Window window;
    robust::DenseCore& core = window.core;
    core.shape = tensor.shape();
    const auto entries = tensor.typed<double>();
    core.values = Eigen::Map<const robust::Entries>(entries.data(), std::ssize(entries));
    if (!core.values.allFinite()) {
      core.observed = core.values.isFinite().cast<double>();
      core.values = core.values.isFinite().select(core.values, 0.0);
    }
    window.spread = robust::spread(core, robust::thinned(robust::informative(core)));
    window.level = robust::rounding_level * window.spread;
    return window;
  }
};

/// One component everywhere, and others on a box.
inline Recipe components_on_box(const Shape& shape, int others, Index first, Index count,
                                Rng& rng) {
  Factors model = normal_component(shape, rng);
  for (int k = 0; k < others; ++k) {
    model = robust::joined(model, on_box(normal_component(shape, rng), first, count));
  }
  return Recipe(std::move(model));
}

/// Two components on the first half of each mode: that of the rank-one model explains the rest.
inline Recipe recipe_a(std::uint64_t seed) {
  Rng rng(seed, 21);
  return components_on_box({20, 20, 20}, 2, 0, 10, rng);
}

/// Two components on the last rows, of which a small core has few.
inline Recipe recipe_b(std::uint64_t seed, Index side = 60, Index box = 20) {
  Rng rng(seed, 22);
  return components_on_box({side, side, side}, 2, side - box, box, rng);
}

/// A component on a box, among 30% of errors.
inline Recipe recipe_c(std::uint64_t seed, Index side = 60, Index box = 25) {
  Rng rng(seed, 23);
  Recipe recipe = components_on_box({side, side, side}, 1, 0, box, rng);
  recipe.corrupt(0.3, rng);
  return recipe;
}

/// The second component is zero on half of mode 1. The first slice is altered by a multiple of it,
/// where it is largest, on this share of the entries that it reaches.
inline Recipe recipe_d(const Shape& shape, std::uint64_t seed, double share = 0.48) {
  Rng rng(seed, 24);
  const Factors first = normal_component(shape, rng);
  Factors second = normal_component(shape, rng);
  second[1].bottomRows(shape[1] - shape[1] / 2).setZero();
  Recipe recipe(robust::joined(first, second));
  const robust::Entries part = robust::evaluate(second).head(shape.entries() / shape[0]);
  std::vector<double> sizes;
  for (const double x : part) {
    if (x != 0) sizes.push_back(std::abs(x));
  }
  std::ranges::sort(sizes);
  const auto altered = static_cast<std::ptrdiff_t>(share * static_cast<double>(sizes.size()));
  const double least = *(sizes.end() - altered);
  for (Index i = 0; i < part.size(); ++i) {
    if (std::abs(part[i]) >= least) recipe.tensor.typed<double>()[i] += 1.7 * part[i];
  }
  return recipe;
}

/// 75 slices have 62% of errors. Another one is tripled on the 46% of its entries that are largest.
inline Recipe recipe_f(std::uint64_t seed) {
  Rng rng(seed, 25);
  const Shape shape{150, 14, 14};
  Recipe recipe(normal_component(shape, rng));
  const auto entries = recipe.tensor.typed<double>();
  const double size = robust::norm(recipe.truth) / std::sqrt(static_cast<double>(shape.entries()));
  for (double& x : entries.first(75 * 196)) {
    if (rng.bernoulli(0.62)) x += 3 * size * rng.normal();
  }
  const auto slice = entries.subspan(100 * 196, 196);
  std::vector<double> sizes;
  for (const double x : slice) sizes.push_back(std::abs(x));
  std::ranges::sort(sizes);
  const double least = sizes[196 - 90];
  for (double& x : slice) x *= std::abs(x) >= least ? 3 : 1;
  return recipe;
}

/// The second component of L is weak, and on 70% of each mode. S is a strong component on the last
/// rows, which fits fewer entries.
struct Exchange {
  Recipe recipe;
  Factors strong;  ///< the component of S

  /// The model with the wrong second component.
  Factors wrong() const {
    return robust::joined(robust::without_component(recipe.truth, 1), strong);
  }
};
inline Exchange recipe_g(std::uint64_t seed, double share = 0.55) {
  Rng rng(seed, 26);
  const Shape shape{20, 20, 20};
  const Factors first = normal_component(shape, rng);
  Factors weak = on_box(normal_component(shape, rng), 0, 14);
  weak.front() *= 0.1;
  const auto side = static_cast<Index>(std::lround(20 * share));
  Factors strong = on_box(normal_component(shape, rng), 20 - side, side);
  strong.front() *= 3;
  Exchange exchange{Recipe(robust::joined(first, weak)), strong};
  exchange.recipe.add_to_sparse(strong);
  return exchange;
}

}  // namespace sunder::test
