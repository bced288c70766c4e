#include "algorithms/robust_cp/core/dense_core.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/core/algebra/products.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

double power_of_two_near(double x) {
  constexpr int most = levels::data::largest_exponent;
  return x > 0 ? std::ldexp(1.0, std::clamp(std::ilogb(x), -most, most)) : 1;
}

PassResult pass_over(const DenseCore& core, PassRequest request, Monitor& monitor) {
  const double flops = request.modes.none() ? levels::flops_of_residual : levels::flops_of_products;
  monitor.did(flops * static_cast<double>(core.shape.entries() * request.model->rank()));
  const TensorView values = TensorView::of(core.values.data(), core.shape);
  if (core.complete()) return pass(values, request, core.threads);
  const Eigen::Array<std::uint8_t, Eigen::Dynamic, 1> observed = core.observed.cast<std::uint8_t>();
  const TensorView mask = TensorView::of(observed.data(), core.shape);
  request.mask = &mask;
  return pass(values, request, core.threads);
}

PassResult fused_pass(const DenseCore& core, const Factors& factors, const Rule& rule,
                      Monitor& monitor, Products products) {
  const CpModel model = as_model(factors);
  PassRequest request{.model = &model, .rule = rule};
  if (products == Products::all) request.modes = all_modes(core.shape.order());
  return pass_over(core, std::move(request), monitor);
}

Entries evaluate(const Factors& factors) {
  const int last = static_cast<int>(factors.size()) - 1;
  const Matrix rows = khatri_rao_of_others(factors, last);
  const Matrix& columns = factors.back();
  Entries entries(rows.rows() * columns.rows());
  multiply(rows, columns.transpose(),
           Eigen::Map<RowMatrix>(entries.data(), rows.rows(), columns.rows()));
  return entries;
}

Entries residual(const DenseCore& core, const Factors& factors) {
  Entries difference = core.values - evaluate(factors);
  if (!core.complete()) difference *= core.observed;
  return difference;
}

RowMatrix unfold(const Shape& shape, const Entries& entries, int mode) {
  Index left = 1;
  for (int m = 0; m < mode; ++m) left *= shape[m];
  const Index rows = shape[mode];
  const Index right = shape.entries() / (left * rows);
  RowMatrix result(rows, left * right);
  for (Index l = 0; l < left; ++l) {
    for (Index i = 0; i < rows; ++i) {
      result.row(i).segment(l * right, right) =
          entries.segment((l * rows + i) * right, right).matrix().transpose();
    }
  }
  return result;
}

}  // namespace sunder::robust
