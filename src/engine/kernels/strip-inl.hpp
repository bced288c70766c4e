// Processes a tile strip by strip: residual, rule, products, each on a strip that stays in the
// first-level cache. The branches on types, rule and requested results are taken once per strip.

#if defined(SUNDER_ENGINE_STRIP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_ENGINE_STRIP_INL_HPP
#undef SUNDER_ENGINE_STRIP_INL_HPP
#else
#define SUNDER_ENGINE_STRIP_INL_HPP
#endif

#include <algorithm>

#include "engine/kernels/counts-inl.hpp"
#include "engine/kernels/mttkrp-inl.hpp"
#include "engine/kernels/residual-inl.hpp"
#include "engine/kernels/rule-inl.hpp"
#include "engine/kernels/slices-inl.hpp"
#include "engine/kernels/sparse-inl.hpp"
#include "engine/kernels/widen-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sunder::kernels::HWY_NAMESPACE {

/// Prefetches a panel's share of the next strip into the second-level cache: the first level has no
/// room for two strips beside the panels, and a load from the second is fast enough. Contiguous
/// rows are prefetched in memory order, because the hardware prefetchers follow one stream better
/// than three.
template <class Real>
HWY_INLINE void prefetch_strip(const TileTask<Real>& task, Index row, Index column, Index rows) {
  const auto size = static_cast<Index>(task.entry_bytes);
  const Index bytes = panel_vectors * HWY_MAX_BYTES / static_cast<Index>(sizeof(Real)) * size;
  const char* next = static_cast<const char*>(task.data) + row * task.row_stride * size;
  if (task.row_stride == task.columns) {
    next += rows * column * size;
    for (Index byte = 0; byte < rows * bytes; byte += 64) prefetch(next + byte);
    return;
  }
  next += column * size;
  for (Index i = 0; i < rows; ++i, next += task.row_stride * size) {
    for (Index byte = 0; byte < bytes; byte += 64) prefetch(next + byte);
  }
}

/// Passes the residuals of a strip, in blocks of `vectors`, to use(block, column).
template <int rows, int vectors, class D, class Use, class Real = hn::TFromD<D>>
HWY_INLINE void for_each_residual(D d, const TileTask<Real>& task, const Strip<Real>& strip,
                                  Index row, bool fetch, Use&& use) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Index panel_width = panel_vectors * n;
  const Index rank = task.model_rank;
  const Real* a = task.model_rows + row * rank;
  const Real* panel = task.model_panels;
  Index j = 0;
  for (; j + panel_width <= task.columns; j += panel_width, panel += panel_width * rank) {
    if (fetch) prefetch_strip(task, row + Index{2} * rows, j, rows);
    for (Index in = 0; in < panel_width; in += vectors * n) {
      use(residual_of<rows, vectors>(d, strip.first + j + in, strip.stride, rank, a, panel + in,
                                     panel_width),
          j + in);
    }
  }
  for (const Index step = task.width - j; j < task.width; j += n, panel += n) {
    const bool inside = j + n <= task.columns;
    use(residual_of<rows, 1>(d, (inside ? strip.first : strip.tail) + j,
                             inside ? strip.stride : strip.tail_stride, rank, a, panel, step),
        j);
  }
}

/// Writes rule(R).
template <int rows, class D, class PointRule, class Real = hn::TFromD<D>>
void residual_strip(D d, const TileTask<Real>& task, const Strip<Real>& strip, Index row,
                    PointRule& rule, Real* to) {
  const bool fetch = !task.contract_columns && !task.contract_rows;
  const Index width = task.width;
  for_each_residual<rows, panel_vectors>(d, task, strip, row, fetch,
                                         [&](const auto& r, Index j)
                                             HWY_ATTR { store_kept(d, r, rule, to + j, width); });
}

/// Each way to count (see count_block) has its own loop, because a branch inside the loop cost a
/// sixth of the time.
template <int rows, bool masked, bool same, bool write, class D, class Real = hn::TFromD<D>>
CountLanes<D> count_residuals(D d, const TileTask<Real>& task, const Strip<Real>& strip,
                              Index row) {
  const auto c = hn::Set(d, scale_of<Real>(task.rule));
  const auto tolerance = hn::Set(d, tolerance_of(task));
  CountLanes<D> lanes;
  for_each_residual<rows, panel_vectors>(
      d, task, strip, row, true, [&](const auto& r, Index j) HWY_ATTR {
        NoRule leave;
        if constexpr (write) store_kept(d, r, leave, task.residual + j, task.width);
        if constexpr (sizeof(r) == sizeof(Block<rows, panel_vectors, D>)) {
          count_block<masked, same>(d, r, task, row, j, c, tolerance, lanes);
        } else {  // the ragged edge is padded, and the padding is not alive
          count_block<true, false>(d, r, task, row, j, c, tolerance, lanes);
        }
      });
  return lanes;
}

template <int rows, class D, class Real = hn::TFromD<D>>
CountLanes<D> count_residuals(D d, const TileTask<Real>& task, const Strip<Real>& strip, Index row,
                              bool write) {
  if (write) return count_residuals<rows, true, false, true>(d, task, strip, row);
  if constexpr (rows == 3) {
    const bool same = scale_of<Real>(task.rule) == tolerance_of(task);
    if (task.all_alive && same) return count_residuals<3, false, true, false>(d, task, strip, row);
    if (task.all_alive) return count_residuals<3, false, false, false>(d, task, strip, row);
  }
  return count_residuals<rows, true, false, false>(d, task, strip, row);
}

/// Does the whole work on a strip if no product is requested and the rule is a threshold. Writes R
/// only if something needs it.
template <int rows, class D, class Real = hn::TFromD<D>>
void count_strip(D d, const TileTask<Real>& task, const Strip<Real>& strip, Index row) {
  const bool write = task.found != nullptr || task.inspector.strip != nullptr;
  const CountLanes<D> lanes = count_residuals<rows>(d, task, strip, row, write);
  for (int i = 0; i < rows; ++i) task.counts.row_fitted[row + i] += counted(d, lanes.fitted[i]);
  const Index kept = counted(d, lanes.kept) - rows * (task.width - task.columns);
  const double kept_square = sum_of_lanes(d, lanes.kept_square);
  double rejected_square = sum_of_lanes(d, lanes.rejected_square);
  Index missing = 0;
  if (rejected_square != rejected_square) {
    NoRule leave;
    if (!write) residual_strip<rows>(d, task, strip, row, leave, task.residual);
    rejected_square = rejected_squares(d, task, rows, missing);
    count_missing(d, task, row, rows);
  }
  add_threshold_sums(*task.sums, task.rule, rows * task.columns - missing, kept, kept_square,
                     rejected_square);
  task.sums->missing += missing;
}

template <int rows, bool over_columns, bool over_rows, class D, class Real = hn::TFromD<D>>
void contract_strip(D d, const TileTask<Real>& task, Index row) {
  const auto n = static_cast<Index>(hn::Lanes(d));
  const Index panel_width = panel_vectors * n;
  const Index rank = task.probe_rank;
  const Real* p = task.probe_rows + row * rank;
  const Real* panel = task.probe_panels;
  Real* sums = task.column_sums;
  if (over_columns) std::fill_n(task.lanes, strip_rows * rank * n, Real{0});
  for (Index j = 0; j < task.width; j += panel_width) {
    const Real* kept = task.kept + j;
    Real* lanes = task.lanes;
    const Index w = task.width;
    prefetch_strip(task, row + Index{2} * rows, j, rows);
    switch (std::min(panel_vectors, (w - j) / n)) {
      case 1:
        contract_tile<rows, 1, over_columns, over_rows>(d, kept, w, rank, p, panel, lanes, sums);
        break;
      case 2:
        contract_tile<rows, 2, over_columns, over_rows>(d, kept, w, rank, p, panel, lanes, sums);
        break;
      case 3:
        contract_tile<rows, 3, over_columns, over_rows>(d, kept, w, rank, p, panel, lanes, sums);
        break;
      default:
        contract_tile<rows, 4, over_columns, over_rows>(d, kept, w, rank, p, panel, lanes, sums);
    }
    panel += panel_width * rank;
    sums += panel_width * rank;
  }
  if (over_columns) add_up_lanes<rows>(d, task.lanes, rank, task.contracted + row * rank);
}

template <class Real>
bool has_products(const TileTask<Real>& task) {
  return task.contract_columns || task.contract_rows;
}

template <int rows, RuleKind kind, class D, class Real = hn::TFromD<D>>
void apply_rule_of(D d, const TileTask<Real>& task, bool may_miss, bool store) {
  if (may_miss) {
    store ? apply_rule<rows, kind, true, true>(d, task)
          : apply_rule<rows, kind, true, false>(d, task);
  } else {
    store ? apply_rule<rows, kind, false, true>(d, task)
          : apply_rule<rows, kind, false, false>(d, task);
  }
}

template <int rows, class D, class Real = hn::TFromD<D>>
void apply_any_rule(D d, const TileTask<Real>& task) {
  const bool may_miss =
      task.mask != nullptr || task.type == ScalarType::f64 || task.type == ScalarType::f32;
  const bool store = has_products(task) || task.row_slices.kept != nullptr;
  switch (task.rule.kind) {
    case RuleKind::keep_all:
      return apply_rule_of<rows, RuleKind::keep_all>(d, task, may_miss, store);
    case RuleKind::hard_threshold:
      return apply_rule_of<rows, RuleKind::hard_threshold>(d, task, may_miss, store);
    case RuleKind::geman_mcclure:
      return apply_rule_of<rows, RuleKind::geman_mcclure>(d, task, may_miss, store);
    case RuleKind::huber:
      return apply_rule_of<rows, RuleKind::huber>(d, task, may_miss, store);
    case RuleKind::tukey:
      return apply_rule_of<rows, RuleKind::tukey>(d, task, may_miss, store);
  }
}

inline bool is_threshold(const Rule& rule) {
  return rule.kind == RuleKind::keep_all || rule.kind == RuleKind::hard_threshold;
}

/// Computes residual and rule together; returns false if the task needs more than that or an entry
/// is missing.
template <int rows, class D, class Real = hn::TFromD<D>>
bool fused_strip(D d, const TileTask<Real>& task, const Strip<Real>& strip, Index row) {
  if (!is_threshold(task.rule) || task.mask != nullptr || task.row_slices.kept != nullptr ||
      task.counts.row_fitted != nullptr || task.found != nullptr ||
      task.inspector.strip != nullptr || task.sums->missing > 0) {
    return false;
  }
  FusedThreshold<D> rule(task.rule);
  residual_strip<rows>(d, task, strip, row, rule, task.kept);
  return rule.add_to(*task.sums, task.rule, rows * task.columns,
                     rows * (task.width - task.columns));
}

template <int rows, class D, class Real = hn::TFromD<D>>
void run_strip(D d, const TileTask<Real>& task, Index row) {
  const Strip<Real> strip = read_strip(task, row, rows, static_cast<Index>(hn::Lanes(d)));
  if (task.data_statistics) add_data_sums(d, task, strip, rows);
  if (task.found != nullptr) task.inspector.make_room(task.inspector.context, rows * task.width);
  const Index rejected_before = task.sums->rejected;
  const Index missing_before = task.sums->missing;
  if (task.counts.row_fitted != nullptr && is_threshold(task.rule) && !has_products(task)) {
    count_strip<rows>(d, task, strip, row);
  } else if (!fused_strip<rows>(d, task, strip, row)) {
    NoRule leave;
    residual_strip<rows>(d, task, strip, row, leave, task.residual);
    apply_any_rule<rows>(d, task);
    if (task.row_slices.kept != nullptr) add_slices<rows>(d, task, row);
    if (task.counts.row_fitted != nullptr) {
      count_fitted(d, task, row, rows);
      if (task.sums->missing > missing_before) count_missing(d, task, row, rows);
    }
  }
  if (task.found != nullptr && task.sums->rejected > rejected_before) {
    find_rejected(d, task, row, rows);
  }
  if (task.inspector.strip != nullptr) {
    task.inspector.strip(task.inspector.context, rows, task.columns, task.residual, task.width);
  }
  if (task.contract_columns && task.contract_rows) {
    contract_strip<rows, true, true>(d, task, row);
  } else if (task.contract_columns) {
    contract_strip<rows, true, false>(d, task, row);
  } else if (task.contract_rows) {
    contract_strip<rows, false, true>(d, task, row);
  }
}

}  // namespace sunder::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
