#include "algorithms/robust_cp/noise/residual_structure.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/core/algebra/products.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

double residual_structure(const DenseCore& core, const NoisyFit& fit, Monitor& monitor) {
  EntryWeights weights;
  likelihood_sums(core, fit.factors, fit.noise, monitor, &weights);
  const Entries z = weights.inlier * residual(core, fit.factors) / (weights.variance.sqrt() + tiny);
  const double size = std::sqrt(z.square().mean()) + tiny;
  double largest = 0;
  for (int mode = 0; mode < core.shape.order(); ++mode) {
    const RowMatrix rows = unfold(core.shape, z, mode);
    if (rows.rows() > rows.cols()) continue;
    const Matrix gram = product_of(rows, rows.transpose());
    const double length =
        std::sqrt(Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly)
                      .eigenvalues()
                      .maxCoeff());
    const double by_chance =
        std::sqrt(static_cast<double>(rows.rows())) + std::sqrt(static_cast<double>(rows.cols()));
    largest = std::max(largest, length / (size * by_chance));
  }
  return largest;
}

}  // namespace sunder::robust
