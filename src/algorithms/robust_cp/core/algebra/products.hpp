#pragma once
/// Products of Eigen's matrices by the kernel for the machine at hand (engine/kernels/product.hpp).

#include "engine/kernels/product.hpp"
#include "sunder/core/cp_model.hpp"

namespace sunder::robust {

/// A matrix or a block of one, as the kernel sees it.
template <class Derived>
kernels::MatrixView kernel_view(const Eigen::MatrixBase<Derived>& m) {
  static_assert((Derived::Flags & Eigen::DirectAccessBit) != 0, "evaluate an expression first");
  const Derived& matrix = m.derived();
  const Index inner = matrix.innerStride();
  const Index outer = matrix.outerStride();
  return {matrix.data(), matrix.rows(), matrix.cols(), Derived::IsRowMajor ? outer : inner,
          Derived::IsRowMajor ? inner : outer};
}

/// Multiplications from which on the kernel is faster than Eigen, which has no panels to fill.
inline constexpr Index worth_a_kernel = 4096;

/// Computes `to` = a b, or `to` += a b. `to` has its size already.
template <class A, class B, class To>
void multiply(const A& a, const B& b, To&& to, bool add = false) {
  if (a.rows() * a.cols() * b.cols() < worth_a_kernel) {
    if (!add) to.setZero();
    to.noalias() += a * b;
    return;
  }
  const kernels::MatrixView left = kernel_view(a);
  const kernels::MatrixView right = kernel_view(b);
  if constexpr (std::decay_t<To>::IsRowMajor) {
    kernels::multiply(left, right, to.data(), to.outerStride(), add);
  } else {
    kernels::multiply(right.transposed(), left.transposed(), to.data(), to.outerStride(), add);
  }
}

/// A b. Where the result is a RowMatrix, say so: product_of<RowMatrix>(a, b).
template <class Result = Matrix, class A, class B>
Result product_of(const A& a, const B& b) {
  Result result(a.rows(), b.cols());
  multiply(a, b, result);
  return result;
}

}  // namespace sunder::robust
