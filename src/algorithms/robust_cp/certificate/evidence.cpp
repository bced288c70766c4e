#include "algorithms/robust_cp/certificate/evidence.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/certificate/outliers.hpp"
#include "algorithms/robust_cp/levels/certificate.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

Index components_of(const Factors& factors) {
  const Eigen::ArrayXd sizes = component_sizes(factors);
  return (sizes > levels::negligible_component * sizes.maxCoeff()).count();
}

double rounding_bound(const Engine& engine, Precision precision, Index rank, double spread) {
  const double unit = rounding_of(engine.type(), precision);
  const double root = std::sqrt(static_cast<double>(rank) + 1.0);
  return spread * std::max(rounding_level, levels::rounding_units * root * unit);
}

double ratio_rounding(const Engine& engine, Precision precision) {
  return std::max(levels::ratio_rounding,
                  levels::rounding_units * rounding_of(engine.type(), precision));
}

TensorFit& Evidence::fit() {
  if (!fit_) {
    const KeepOutliers keep = may_have_more() ? KeepOutliers::while_few : KeepOutliers::no;
    fit_ = pass_.find_sparse(factors_, level_, keep);
  }
  return *fit_;
}

const SliceEvidence& Evidence::slices() {
  if (!slices_) slices_ = examine_slices(fit());
  return *slices_;
}

FurtherComponent Evidence::further_component() {
  if (!further_) further_ = search_sparse();
  return *further_;
}

FurtherComponent Evidence::search_sparse() {
  if (!may_have_more()) return FurtherComponent::none;
  const std::optional<SparseTensor> outliers = pass_.few_outliers(fit());
  if (!outliers) return FurtherComponent::unknown;
  const std::optional<bool> shows =
      has_proportional_rows(*outliers, ratio_rounding(engine(), pass_.precision()));
  if (!shows) return FurtherComponent::unknown;
  return *shows ? FurtherComponent::shows : FurtherComponent::none;
}

}  // namespace sunder::robust
