// Applies the rule to a strip of residuals: K = w(R) R, and the sums over R and K.
//
// Per entry: a comparison, a mask and two FMAs (hard threshold), one read of R and one write of K
// in the first-level cache. R and K must not overlap; both are padded to whole vectors with R = 0,
// which every rule keeps at no cost and which the counts leave out.
//
// Hardware: a sum is a chain of FMAs of four cycles each, so every row of a strip has its own
// chain.

#if defined(SUNDER_ENGINE_RULE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_RULE_INL_HPP
#undef SUNDER_ENGINE_RULE_INL_HPP
#else
#define SUNDER_ENGINE_RULE_INL_HPP
#endif

#include <algorithm>
#include <limits>

#include "engine/kernels/tile_task.hpp"
#include "engine/kernels/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// The rule keeps an entry if |R| < scale_of(rule). Replacing a zero scale by the smallest positive
/// number keeps zero residuals without a second comparison.
template <class Real>
Real scale_of(const Rule& rule) {
  if (rule.kind == RuleKind::keep_all) return std::numeric_limits<Real>::infinity();
  return std::max(static_cast<Real>(rule.scale), std::numeric_limits<Real>::denorm_min());
}

/// Returns the cost of all entries, for the rules where the other sums determine it.
template <RuleKind kind>
double simple_cost(const Rule& rule, double kept_square, Index rejected) {
  if (kind == RuleKind::keep_all) return kept_square;
  const double squares = kept_square > 0 ? kept_square / (rule.scale * rule.scale) : 0;
  return squares + static_cast<double>(rejected);
}

/// Adds `entries` observed entries under a threshold to the sums.
inline void add_threshold_sums(TileSums& sums, const Rule& rule, Index entries, Index kept,
                               double kept_square, double rejected_square) {
  sums.kept += kept;
  sums.rejected += entries - kept;
  sums.kept_square_sum += kept_square;
  sums.rejected_square_sum += rejected_square;
  sums.weight_sum += static_cast<double>(kept);
  sums.cost_sum += rule.kind == RuleKind::keep_all
                       ? simple_cost<RuleKind::keep_all>(rule, kept_square, 0)
                       : simple_cost<RuleKind::hard_threshold>(rule, kept_square, entries - kept);
}

/// Applies the hard threshold (or, with an infinite threshold, keeps everything) to residuals in
/// registers. A missing entry is not kept, because a comparison with NaN is false, but it turns the
/// sum of rejected squares into NaN; apply_rule must then compute counts and sums again. The sums
/// can be omitted if nothing can be missing and nothing needs them.
template <class D, bool with_sums = true>
struct FusedThreshold {
  using V = hn::Vec<D>;
  V c;
  V kept_square[3], rejected_square[3];  // one per row: a sum is a chain of FMAs of four cycles
  Counter<D> kept;

  HWY_INLINE explicit FusedThreshold(const Rule& rule)
      : c(hn::Set(D(), scale_of<hn::TFromD<D>>(rule))), kept(hn::Zero(hn::RebindToSigned<D>())) {
    kept_square[0] = kept_square[1] = kept_square[2] = hn::Zero(D());
    rejected_square[0] = rejected_square[1] = rejected_square[2] = hn::Zero(D());
  }
  template <int row>
  HWY_INLINE V keep(V r) {
    const auto keeps = is_below(D(), r, c);
    const V k = hn::IfThenElseZero(keeps, r);
    if constexpr (with_sums) {
      kept = count_true(D(), keeps, kept);
      kept_square[row] = hn::MulAdd(k, k, kept_square[row]);
      const V s = hn::IfThenZeroElse(keeps, r);
      rejected_square[row] = hn::MulAdd(s, s, rejected_square[row]);
    }
    return k;
  }
  /// Returns false and adds nothing if an entry was missing.
  HWY_INLINE bool add_to(TileSums& sums, const Rule& rule, Index entries, Index padding) const {
    if constexpr (!with_sums) return true;
    const D d;
    const double rejected_sum = sum_of_lanes(
        d, hn::Add(hn::Add(rejected_square[0], rejected_square[1]), rejected_square[2]));
    if (rejected_sum != rejected_sum) return false;
    const double kept_sum =
        sum_of_lanes(d, hn::Add(hn::Add(kept_square[0], kept_square[1]), kept_square[2]));
    add_threshold_sums(sums, rule, entries, counted(d, kept) - padding, kept_sum, rejected_sum);
    return true;
  }
};

/// The sums of one row of a strip, spread over lanes.
template <class D>
struct RowSums {
  hn::Vec<D> kept_square, rejected_square, weight, cost;
  Counter<D> kept, observed;

  // Not = default: a generated constructor would not be compiled for the target's instruction set.
  HWY_INLINE RowSums() {
    kept_square = rejected_square = weight = cost = hn::Zero(D());
    kept = observed = hn::Zero(hn::RebindToSigned<D>());
  }
};

/// Maps one vector of residuals to its kept part. `may_miss`: NaN can occur.
template <RuleKind kind, bool may_miss, class D, class V = hn::Vec<D>>
HWY_INLINE V keep(D d, V r, V c, V inverse, RowSums<D>& sums) {
  using Real = hn::TFromD<D>;
  const auto observed = hn::Eq(r, r);
  const auto seen = [&](V v) HWY_ATTR { return may_miss ? hn::IfThenElseZero(observed, v) : v; };
  if constexpr (may_miss) sums.observed = count_true(d, observed, sums.observed);
  V k;
  if constexpr (kind == RuleKind::keep_all) {
    k = seen(r);
  } else {
    const V magnitude = hn::Abs(r);
    const auto keeps = hn::Lt(magnitude, c);
    sums.kept = count_true(d, keeps, sums.kept);
    // A comparison with NaN is false in both directions.
    const V s =
        may_miss ? hn::IfThenElseZero(hn::Ge(magnitude, c), r) : hn::IfThenZeroElse(keeps, r);
    sums.rejected_square = hn::MulAdd(s, s, sums.rejected_square);
    const V one = hn::Set(d, Real{1});
    const V t = hn::Mul(r, inverse);
    const V u = hn::Mul(t, t);
    if constexpr (kind == RuleKind::hard_threshold) {
      k = hn::IfThenElseZero(keeps, r);
    } else if constexpr (kind == RuleKind::geman_mcclure) {
      const V q = hn::Div(one, hn::Add(one, u));
      const V w = hn::Mul(q, q);
      k = seen(hn::Mul(w, r));
      sums.weight = hn::Add(sums.weight, seen(w));
      sums.cost = hn::Add(sums.cost, seen(hn::Mul(u, q)));
    } else if constexpr (kind == RuleKind::huber) {
      const V w = hn::Div(c, hn::Max(magnitude, c));
      k = seen(hn::Max(hn::Neg(c), hn::Min(r, c)));
      const V far = hn::Sub(hn::Mul(hn::Set(d, Real{2}), hn::Abs(t)), one);
      sums.weight = hn::Add(sums.weight, seen(w));
      sums.cost = hn::Add(sums.cost, seen(hn::IfThenElse(keeps, u, far)));
    } else {
      const V m = hn::IfThenElseZero(keeps, hn::Sub(one, u));
      const V w = hn::Mul(m, m);
      k = hn::IfThenElseZero(keeps, hn::Mul(w, r));
      sums.weight = hn::Add(sums.weight, w);
      const V third = hn::Set(d, static_cast<Real>(1.0 / 3));
      sums.cost = hn::Add(sums.cost, seen(hn::Mul(hn::NegMulAdd(w, m, one), third)));
    }
  }
  sums.kept_square = hn::MulAdd(k, k, sums.kept_square);
  return k;
}

/// Adds the sums of a row, excluding `padding` entries.
template <RuleKind kind, bool may_miss, class D>
HWY_INLINE void add_sums(D d, const RowSums<D>& row, const Rule& rule, Index columns, Index padding,
                         TileSums& sums) {
  const Index observed = may_miss ? counted(d, row.observed) - padding : columns;
  const Index kept = kind == RuleKind::keep_all ? observed : counted(d, row.kept) - padding;
  const Index rejected = observed - kept;
  const double kept_square = sum_of_lanes(d, row.kept_square);
  sums.missing += columns - observed;
  sums.kept += kept;
  sums.rejected += rejected;
  sums.kept_square_sum += kept_square;
  sums.rejected_square_sum += sum_of_lanes(d, row.rejected_square);
  if constexpr (kind == RuleKind::keep_all || kind == RuleKind::hard_threshold) {
    sums.weight_sum += static_cast<double>(kept);
    sums.cost_sum += simple_cost<kind>(rule, kept_square, rejected);
  } else {
    sums.weight_sum += sum_of_lanes(d, row.weight) - static_cast<double>(padding);
    sums.cost_sum += sum_of_lanes(d, row.cost);
  }
}

template <int rows, RuleKind kind, bool may_miss, bool store, class D, class Real = hn::TFromD<D>>
void apply_rule(D d, const TileTask<Real>& task) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Index width = task.width;
  const Real scale = scale_of<Real>(task.rule);
  const auto c = hn::Set(d, scale);
  const auto inverse = hn::Set(d, Real{1} / std::max(scale, std::numeric_limits<Real>::min()));
  RowSums<D> row0;
  RowSums<D> row1;
  RowSums<D> row2;
  for (Index j = 0; j < width; j += n) {
    const Real* r = task.residual + j;
    Real* k = task.kept + j;
    const auto k0 = keep<kind, may_miss>(d, hn::Load(d, r), c, inverse, row0);
    store_if<store>(d, k0, k);
    if constexpr (rows == 3) {
      const auto k1 = keep<kind, may_miss>(d, hn::Load(d, r + width), c, inverse, row1);
      store_if<store>(d, k1, k + width);
      const auto k2 = keep<kind, may_miss>(d, hn::Load(d, r + 2 * width), c, inverse, row2);
      store_if<store>(d, k2, k + 2 * width);
    }
  }
  const Index padding = width - task.columns;
  add_sums<kind, may_miss>(d, row0, task.rule, task.columns, padding, *task.sums);
  if constexpr (rows == 3) {
    add_sums<kind, may_miss>(d, row1, task.rule, task.columns, padding, *task.sums);
    add_sums<kind, may_miss>(d, row2, task.rule, task.columns, padding, *task.sums);
  }
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
