#include "algorithms/robust_cp/certificate/tensor_fit.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "algorithms/robust_cp/certificate/determinacy.hpp"
#include "algorithms/robust_cp/levels/certificate.hpp"

namespace sunder::robust {

namespace {

using RowMarks = std::vector<std::vector<std::uint8_t>>;  // of each mode: 1 for a row, 0 for none

RowMarks nonzero_rows(const Factors& factors) {
  RowMarks marks;
  for (const Matrix& factor : factors) {
    const Eigen::ArrayXd size = factor.rowwise().squaredNorm();
    const double least = levels::zero_row_square * size.mean();
    std::vector<std::uint8_t> rows;
    for (const double x : size) rows.push_back(x > least ? 1 : 0);
    marks.push_back(std::move(rows));
  }
  return marks;
}

/// The number of entries in a slice of the mode where the model could be non-zero.
Index entries_in_slice(const RowMarks& marks, std::size_t mode) {
  Index entries = 1;
  for (std::size_t m = 0; m < marks.size(); ++m) {
    if (m != mode) entries *= std::ranges::count(marks[m], 1);
  }
  return entries;
}

}  // namespace

TensorFit fit_tensor(Engine& engine, const Factors& factors, const TensorFitOptions& options) {
  const CpModel model(Vector::Ones(factors.front().cols()), factors);
  const RowMarks alive = nonzero_rows(factors);
  PassResult seen = engine.pass({.model = &model,
                                 .rule = Rule::hard_threshold(options.level),
                                 .precision = options.precision,
                                 .slice_statistics = SliceDetail::counts,
                                 .fit_tolerance = options.level,
                                 .alive = &alive,
                                 .collect_sparse = options.collect_sparse,
                                 .sparse_sink = options.sparse_sink});
  TensorFit fit;
  fit.level = options.level;
  fit.statistics = seen.statistics;
  fit.sparse = std::move(seen.sparse);
  for (std::size_t m = 0; m < seen.slices.size(); ++m) {
    fit.needed.push_back(entries_needed(entries_in_slice(alive, m), model.rank()));
  }
  fit.slices = std::move(seen.slices);
  return fit;
}

}  // namespace sunder::robust
