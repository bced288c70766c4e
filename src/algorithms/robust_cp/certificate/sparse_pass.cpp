#include "algorithms/robust_cp/certificate/sparse_pass.hpp"

#include <cmath>

#include "algorithms/robust_cp/levels.hpp"
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
  return fit_tensor(engine_, factors,
                    {.level = level,
                     .precision = precision_,
                     .collect_sparse = collects(),
                     .sparse_sink = keeps ? few_.watching(fresh_sink()) : fresh_sink()});
}

std::optional<SparseTensor> SparsePass::few_outliers(const TensorFit& fit) const {
  return few_.all(engine_.shape(), fit.statistics.rejected, engine_.communicator());
}

/// A sink that takes S from its first entry on; empty if nobody wants S.
SparseSink SparsePass::fresh_sink() const {
  SparseReceiver* receiver = run_.sparse_receiver;
  if (receiver == nullptr) return {};
  receiver->begin(engine_.shape(), engine_.finds_in_order());
  return [receiver](auto positions, auto values) { receiver->add(positions, values); };
}

}  // namespace sunder::robust
