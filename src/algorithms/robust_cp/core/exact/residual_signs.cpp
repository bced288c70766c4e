#include "algorithms/robust_cp/core/exact/residual_signs.hpp"

#include <algorithm>
#include <cmath>

#include "core/dense.hpp"

namespace sunder::robust {

double structure_of_signs(const DenseCore& core, const Factors& factors, double level) {
  const Entries R = residual(core, factors);
  Entries signs = R.sign() * (R.abs() < level).cast<double>();
  if (!core.complete()) signs *= core.observed;
  const double size = std::sqrt(signs.square().mean());
  if (!(size > 0)) return 0;
  double largest = 0;
  for (int mode = 0; mode < core.shape.order(); ++mode) {
    const RowMatrix rows = unfold(core.shape, signs, mode);
    if (rows.rows() > rows.cols()) continue;
    const Vector squares = symmetric_eigen(rows * rows.transpose()).values;
    const double by_chance =
        std::sqrt(static_cast<double>(rows.rows())) + std::sqrt(static_cast<double>(rows.cols()));
    largest = std::max(largest, std::sqrt(squares.maxCoeff()) / (size * by_chance));
  }
  return largest;
}

}  // namespace sunder::robust
