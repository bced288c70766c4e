#include "algorithms/robust_cp/certificate/sparse_pass.hpp"

#include <cmath>
#include <utility>

#include "algorithms/robust_cp/levels/shared.hpp"
#include "algorithms/run/sparse_part.hpp"
#include "algorithms/run/validation.hpp"

namespace sunder::robust {

SparsePass::SparsePass(Engine& engine, const RunOptions& run, Precision& precision,
                       Monitor& monitor)
    : engine_(engine), run_(run), precision_(precision), monitor_(monitor) {}

TensorFit SparsePass::find_sparse(const Factors& factors, double level, KeepOutliers keep) {
  TensorFit fit = read(factors, level, keep);
  const bool overflow = !std::isfinite(fit.statistics.rejected_square_sum);
  if (overflow && precision_ == Precision::f32) {
    precision_ = Precision::f64;
    fit = read(factors, level, keep);
  }
  require_observed(fit.statistics.missing, engine_.shape());
  return fit;
}

TensorFit SparsePass::read(const Factors& factors, double level, KeepOutliers keep) {
  const auto entries = static_cast<double>(engine_.shape().entries());
  monitor_.did(levels::flops_of_residual * entries * static_cast<double>(factors.front().cols()));
  const bool keeps = keep == KeepOutliers::while_few;
  SparseSink sink = sparse_sink(engine_, run_);
  return fit_tensor(engine_, factors,
                    {.level = level,
                     .precision = precision_,
                     .collect_sparse = collects(),
                     .sparse_sink = keeps ? few_.watching(std::move(sink)) : std::move(sink)});
}

std::optional<SparseTensor> SparsePass::few_outliers(const TensorFit& fit) const {
  return few_.all(engine_.shape(), fit.statistics.rejected, engine_.communicator());
}

}  // namespace sunder::robust
