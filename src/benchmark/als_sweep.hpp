#pragma once
/// A sweep of plain CP-ALS with a BLAS: the usual algorithm for data without corruption.

#include <optional>
#include <string>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder::benchmark {

/// OpenBLAS with one thread, if it is installed. It is loaded at run time, because nothing else
/// needs it.
class Blas {
 public:
  static std::optional<Blas> find();
  const std::string& name() const { return name_; }

  /// Computes c = alpha op(a) b + beta c in row-major order, where op(a) is a (m x k) or the
  /// transpose of a (k x m).
  void multiply(bool transpose_a, Index m, Index n, Index k, const double* a, Index lda,
                const double* b, Index ldb, double beta, double* c, Index ldc) const;

 private:
  using Gemm = void (*)(int layout, int trans_a, int trans_b, int m, int n, int k, double alpha,
                        const double* a, int lda, const double* b, int ldb, double beta, double* c,
                        int ldc);
  Gemm gemm_ = nullptr;
  std::string name_;
};

/// Computes the MTTKRPs of all three modes of a tensor of order 3 in f64 and C order: one product
/// with the Khatri-Rao product for each outer mode, without unfolding a copy, and one product per
/// slab for the middle mode. Returns the sum of its results, so that the compiler cannot drop any
/// work.
double als_sweep(const Blas& blas, const TensorView& tensor, const CpModel& model);

}  // namespace sunder::benchmark
