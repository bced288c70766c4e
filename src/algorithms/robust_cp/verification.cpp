#include "algorithms/robust_cp/verification.hpp"

#include <algorithm>

namespace sunder::robust {

namespace {

std::vector<std::vector<std::uint8_t>> alive_rows(const Factors& factors) {
  std::vector<std::vector<std::uint8_t>> alive;
  for (const Matrix& factor : factors) {
    const Eigen::ArrayXd size = factor.rowwise().squaredNorm();
    const double least = 1e-10 * size.mean();
    std::vector<std::uint8_t> rows;
    for (Index i = 0; i < size.size(); ++i) rows.push_back(size[i] > least ? 1 : 0);
    alive.push_back(std::move(rows));
  }
  return alive;
}

void judge(const SliceStatistics& slices, Index rank, Verification& result) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < slices.observed.size(); ++i) {
    shares.push_back(static_cast<double>(slices.fitted[i]) /
                     static_cast<double>(std::max<Index>(slices.observed[i], 1)));
  }
  std::vector<double> sorted = shares;
  const double least = std::max(0.08, 0.25 * quantile(sorted, 0.5));
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (slices.observed[i] == 0) continue;
    const bool too_few = slices.fitted[i] < 2 * rank && slices.observed[i] > 2 * rank;
    if (shares[i] < least || too_few) ++result.bad_slices;
    result.weakest_share = std::min(result.weakest_share, shares[i]);
  }
}

}  // namespace

Verification verify(Engine& engine, const Factors& factors, const VerificationOptions& options) {
  const CpModel model(Vector::Ones(factors.front().cols()), factors);
  const std::vector<std::vector<std::uint8_t>> alive = alive_rows(factors);
  PassResult seen = engine.pass({.model = &model,
                                 .rule = Rule::hard_threshold(options.level),
                                 .precision = options.precision,
                                 .slice_statistics = SliceDetail::counts,
                                 .fit_tolerance = options.level,
                                 .alive = &alive,
                                 .collect_sparse = options.collect_sparse});
  Verification result;
  result.statistics = seen.statistics;
  result.sparse = std::move(seen.sparse);
  for (const SliceStatistics& slices : seen.slices) judge(slices, model.rank(), result);
  return result;
}

}  // namespace sunder::robust
