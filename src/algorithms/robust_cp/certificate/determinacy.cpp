#include "algorithms/robust_cp/certificate/determinacy.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/robust_cp/certificate/signs.hpp"
#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/levels/certificate.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace {

/// Whether Gauss-Newton on the observed entries of `fitted` leads back to L from nearby.
bool determine(const DenseCore& fitted, const Factors& factors, const ModeConstraints& constraints,
               Rng& rng, Monitor& monitor) {
  namespace limits = levels::determinacy;
  constexpr double everything = 1e300;  // no residual is too large

  Factors other = factors;
  for (Matrix& factor : other) {
    for (double& x : factor.reshaped()) x *= 1 + limits::nearby * rng.normal();
  }
  impose(constraints, other);
  const Entries L = evaluate(factors);
  Entries difference;
  for (int step = 0; step < limits::steps; ++step) {
    const Factors delta =
        weighted_gauss_newton_step(fitted, other, everything, levels::patient_step, monitor);
    for (std::size_t m = 0; m < other.size(); ++m) other[m] += delta[m];
    impose(constraints, other);
    difference = evaluate(other) - L;
    if (difference.matrix().norm() <= limits::same * L.matrix().norm()) return true;
  }
  return (difference * fitted.observed).matrix().norm() >=
         limits::least_part * difference.matrix().norm();
}

/// Sets rows with too few fitted entries to zero; none of their entries counts as fitted any more.
void leave_out_thin_rows(const Shape& shape, Factors& factors, Entries& fitted) {
  Factors left;  // 1 for a row that stays, 0 for one that goes
  for (int mode = 0; mode < shape.order(); ++mode) {
    Matrix& factor = factors[mode];
    const auto needed =
        static_cast<double>(entries_needed(shape.entries() / shape[mode], factor.cols()));
    const Eigen::ArrayXd count = unfold(shape, fitted, mode).rowwise().sum();
    left.emplace_back((count >= needed).cast<double>().matrix());
    factor = left.back().col(0).asDiagonal() * factor;
  }
  fitted *= evaluate(left);
}

/// Whether each component has at least half of its square on fitted entries, in every slice.
bool are_fitted_by_half(const Shape& shape, const Factors& factors, const Entries& fitted,
                        Monitor& monitor) {
  constexpr double safe_share = levels::determinacy::safe_share;
  Factors squares = factors;
  for (Matrix& factor : squares) factor = factor.cwiseAbs2();
  for (int mode = 0; mode < shape.order(); ++mode) {
    const Matrix others = khatri_rao_of_others(squares, mode);
    const Eigen::RowVectorXd whole = others.colwise().sum();
    const Matrix part = unfold(shape, fitted, mode) * others;
    monitor.did(levels::flops_of_residual * static_cast<double>(fitted.size() * others.cols()));
    if ((part.array() < safe_share * whole.replicate(part.rows(), 1).array()).any()) return false;
  }
  return true;
}

}  // namespace

Index entries_needed(Index in_slice, Index rank) {
  return std::max(std::min(in_slice, 2 * rank), rank + 1);
}

Determinacy determinacy_by_fitted(const DenseCore& core, const Factors& factors, double level,
                                  const ModeConstraints& constraints, Rng& rng, Monitor& monitor) {
  Factors model = factors;
  Entries fitted = (residual(core, factors).abs() < level).cast<double>();
  if (!core.complete()) fitted *= core.observed;
  if (are_fitted_by_half(core.shape, factors, fitted, monitor)) return Determinacy::determined;
  if (!constraints.shares()) leave_out_thin_rows(core.shape, model, fitted);
  constexpr std::uint64_t parts = levels::determinacy::parts;
  std::vector<std::uint64_t> part_of(fitted.size());
  for (std::uint64_t& part : part_of) part = rng.below(parts);
  DenseCore rest = core;
  for (std::uint64_t part = 0; part < parts; ++part) {
    rest.observed = fitted;
    for (Index i = 0; i < fitted.size(); ++i) {
      if (part_of[i] == part) rest.observed[i] = 0;
    }
    rest.values = core.values * rest.observed;
    if (!determine(rest, model, constraints, rng, monitor)) return Determinacy::open_on_fitted;
    if (!signs_are_determined(core.shape, model, rest.observed, level, constraints, rng)) {
      return Determinacy::open_signs;
    }
  }
  return Determinacy::determined;
}

}  // namespace sunder::robust
