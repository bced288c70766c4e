#pragma once
/// A sweep of plain CP-ALS with a BLAS: what people run when nothing is corrupted.

#include <optional>
#include <string>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder::benchmark {

/// OpenBLAS, if it is installed: looked for at run time, because nothing but this needs it. It
/// works with one thread.
class Blas {
 public:
  static std::optional<Blas> find();
  const std::string& name() const { return name_; }

  /// c = alpha op(a) b + beta c, row by row, a as it is (m x k) or transposed (k x m).
  void multiply(bool transpose_a, Index m, Index n, Index k, const double* a, Index lda,
                const double* b, Index ldb, double beta, double* c, Index ldc) const;

 private:
  using Gemm = void (*)(int layout, int trans_a, int trans_b, int m, int n, int k, double alpha,
                        const double* a, int lda, const double* b, int ldb, double beta, double* c,
                        int ldc);
  Gemm gemm_ = nullptr;
  std::string name_;
};

/// The MTTKRPs of all three modes of a tensor of order 3 in f64 and C order: one product with the
/// Khatri-Rao product for each outer mode, without unfolding a copy, and one product per slab for
/// the middle one. Returns the sum of what it computed, so that nothing can be left out.
double als_sweep(const Blas& blas, const TensorView& tensor, const CpModel& model);

}  // namespace sunder::benchmark
