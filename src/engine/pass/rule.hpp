#pragma once
/// The rule: how a pass weights and rejects residuals.

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {

enum class RuleKind { keep_all, hard_threshold, geman_mcclure, huber, tukey };

/// A pointwise rule on the residual R, with u = (R/c)^2:
///
///     rule             weight w                cost rho           rejected (an entry of S)
///     keep all         1                       R^2                never
///     hard threshold   1 where |R| < c, or 0   min(u, 1)          |R| >= c
///     Geman-McClure    (1 + u)^-2              u / (1 + u)        |R| >= c
///     Huber            min(1, c/|R|)           u, 2|R|/c - 1      |R| >= c
///     Tukey            (1 - u)^2, or 0         (1-(1-u)^3)/3      |R| >= c
///
/// The kept residual is K = w R. The costs are scaled so that all but the first are close to u for
/// small u. A hard threshold is HT_zeta of Algorithm 1 with zeta = c; a zero residual is never an
/// outlier, whatever c. Geman-McClure and Huber keep a part of what they count as rejected.
struct Rule {
  RuleKind kind = RuleKind::keep_all;
  double scale = std::numeric_limits<double>::infinity();  ///< c; positive for the smooth rules

  static Rule keep_all() { return {}; }
  static Rule hard_threshold(double zeta) { return {RuleKind::hard_threshold, zeta}; }
  static Rule geman_mcclure(double c) { return {RuleKind::geman_mcclure, c}; }
  static Rule huber(double c) { return {RuleKind::huber, c}; }
  static Rule tukey(double c) { return {RuleKind::tukey, c}; }

  /// Returns false for the entries of S.
  bool keeps(double residual) const {
    return kind == RuleKind::keep_all || std::abs(residual) < scale || residual == 0;
  }
  double weight(double residual) const;
  double kept(double residual) const { return weight(residual) * residual; }
  double cost(double residual) const;
};

inline double Rule::weight(double residual) const {
  const double u = (residual / scale) * (residual / scale);
  switch (kind) {
    case RuleKind::keep_all:
      break;
    case RuleKind::hard_threshold:
      return keeps(residual) ? 1 : 0;
    case RuleKind::geman_mcclure:
      return 1 / ((1 + u) * (1 + u));
    case RuleKind::huber:
      return keeps(residual) ? 1 : scale / std::abs(residual);
    case RuleKind::tukey:
      return keeps(residual) ? (1 - u) * (1 - u) : 0;
  }
  return 1;
}

inline double Rule::cost(double residual) const {
  const double u = residual == 0 ? 0 : (residual / scale) * (residual / scale);
  switch (kind) {
    case RuleKind::keep_all:
      break;
    case RuleKind::hard_threshold:
      return std::min(u, 1.0);
    case RuleKind::geman_mcclure:
      return u / (1 + u);
    case RuleKind::huber:
      return keeps(residual) ? u : 2 * std::abs(residual) / scale - 1;
    case RuleKind::tukey:
      return keeps(residual) ? (1 - (1 - u) * (1 - u) * (1 - u)) / 3 : 1.0 / 3;
  }
  return residual * residual;
}

}  // namespace sunder
