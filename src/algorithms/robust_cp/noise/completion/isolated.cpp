#include "algorithms/robust_cp/noise/completion/isolated.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/robust_cp/levels/completion.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::completion;

/// The entries of a shape by their index in one mode.
struct ModeStrides {
  ModeStrides(const Shape& shape, int mode) : extent(shape[mode]) {
    for (int m = mode + 1; m < shape.order(); ++m) right *= shape[m];
    left = shape.entries() / (extent * right);
  }
  Index at(Index l, Index i, Index r) const { return (l * extent + i) * right + r; }
  Index extent;
  Index left = 1;
  Index right = 1;
};

/// The median of each slice; that of all slices where a slice has no entry.
Eigen::ArrayXd slice_medians(const DenseCore& core, const Entries& sizes, int mode) {
  const ModeStrides strides(core.shape, mode);
  Eigen::ArrayXd medians(strides.extent);
  std::vector<double> known;
  std::vector<double> values;
  for (Index i = 0; i < strides.extent; ++i) {
    values.clear();
    for (Index l = 0; l < strides.left; ++l) {
      for (Index r = 0; r < strides.right; ++r) {
        const Index k = strides.at(l, i, r);
        if (core.is_observed(k)) values.push_back(sizes[k]);
      }
    }
    medians[i] = values.empty() ? -1 : quantile(values, 0.5);
    if (!values.empty()) known.push_back(medians[i]);
  }
  const double usual = median(known);
  if (!(usual > 0)) return Eigen::ArrayXd::Ones(strides.extent);
  return (medians < 0).select(usual, medians).max(limits::least_scale * usual);
}

/// Fibres along a mode of which far more entries are flagged than by accident count as right again.
void forgive_crowds(const DenseCore& core, const Entries& flagged, double share, int mode,
                    Entries& weights) {
  const ModeStrides strides(core.shape, mode);
  for (Index l = 0; l < strides.left; ++l) {
    for (Index r = 0; r < strides.right; ++r) {
      double count = 0;
      double size = 0;
      for (Index i = 0; i < strides.extent; ++i) {
        const Index k = strides.at(l, i, r);
        count += flagged[k];
        size += core.is_observed(k) ? 1 : 0;
      }
      const double by_chance =
          size * share + limits::crowd_width * std::sqrt(size * share * (1 - share));
      if (count < limits::fewest_in_crowd || 2 * count <= size || count <= by_chance) continue;
      for (Index i = 0; i < strides.extent; ++i) {
        const Index k = strides.at(l, i, r);
        if (flagged[k] > 0) weights[k] = 1;
      }
    }
  }
}

}  // namespace

Entries usual_sizes(const DenseCore& core, const Entries& residuals) {
  Entries sizes = Entries::Ones(residuals.size());
  for (int mode = 0; mode < core.shape.order(); ++mode) {
    const ModeStrides strides(core.shape, mode);
    const Eigen::ArrayXd medians = slice_medians(core, residuals.abs() / sizes, mode);
    // The first mode sets the unit; the others are relative to a usual slice.
    const double unit = mode == 0 ? 1 / deviation_over_mad
                                  : median(std::vector<double>(medians.begin(), medians.end()));
    for (Index l = 0; l < strides.left; ++l) {
      for (Index i = 0; i < strides.extent; ++i) {
        sizes.segment(strides.at(l, i, 0), strides.right) *= medians[i] / unit;
      }
    }
  }
  return sizes;
}

Entries soft_weights(const DenseCore& core, const Entries& residuals, const Entries& sizes,
                     double width) {
  const Entries weights = 1 / (1 + (residuals / (width * sizes)).square());
  return core.complete() ? weights : Entries(weights * core.observed);
}

Entries isolated_weights(const DenseCore& core, const Entries& residuals, const Entries& sizes) {
  const Entries known = core.complete() ? Entries::Ones(residuals.size()) : core.observed;
  const Entries flagged = known * (residuals.abs() > limits::isolated_width * sizes).cast<double>();
  const double share = flagged.sum() / std::max(known.sum(), 1.0);
  Entries weights = known - flagged;
  for (int mode = 0; mode < core.shape.order(); ++mode) {
    forgive_crowds(core, flagged, share, mode, weights);
  }
  return weights;
}

}  // namespace sunder::robust
