#include "algorithms/robust_cp/consensus/rows/open_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/robust_cp/levels/search.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

std::vector<Index> open_rows(const SliceStatistics& slices, Index rank, double in_hyperplane) {
  std::vector<Index> rows;
  const double safe = (1 + in_hyperplane) / 2 + levels::rivals::safe_margin;
  const double ties = static_cast<double>(rank) / 2;  // one entry more is one fewer for the rival
  for (Index i = 0; i < slices.extent(); ++i) {
    if (slices.fitted[i] == slices.observed[i]) continue;
    const double least = safe * static_cast<double>(slices.observed[i]) + ties;
    if (static_cast<double>(slices.fitted[i]) <= least) rows.push_back(i);
  }
  return rows;
}

double least_fitted_share(const SliceStatistics& slices, const std::vector<Index>& rows) {
  double least = 1;
  for (const Index i : rows) {
    const auto all = static_cast<double>(std::max<Index>(slices.observed[i], 1));
    least = std::min(least, static_cast<double>(slices.fitted[i]) / all);
  }
  return least;
}

RowsOfSparse rows_by_sparse(const SliceStatistics& slices) {
  std::vector<double> share;
  double observed = 0;
  for (Index i = 0; i < slices.extent(); ++i) {
    const auto all = static_cast<double>(std::max<Index>(slices.observed[i], 1));
    share.push_back(static_cast<double>(slices.observed[i] - slices.fitted[i]) / all);
    observed += all / static_cast<double>(slices.extent());
  }
  RowsOfSparse rows;
  rows.order.resize(share.size());
  std::iota(rows.order.begin(), rows.order.end(), Index{0});
  std::ranges::stable_sort(rows.order, std::greater{}, [&](Index i) { return share[i]; });
  const double usual = median(share);
  const double sigma = std::sqrt(usual * (1 - usual) / observed) + 1 / observed;
  for (const double s : share) {
    rows.standing_out += s > usual + levels::boxes::stands_out * sigma ? 1 : 0;
  }
  return rows;
}

}  // namespace sunder::robust
