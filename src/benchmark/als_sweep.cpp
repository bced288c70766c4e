#include "benchmark/als_sweep.hpp"

#include <dlfcn.h>

#include <numeric>
#include <vector>

namespace sunder::benchmark {

namespace {

template <class Function>
Function find_function(void* library, const char* name) {
  // POSIX guarantees that the address of a function survives this cast.
  return reinterpret_cast<Function>(dlsym(library, name));  // NOLINT(*-reinterpret-cast)
}

using Rows = std::vector<double>;

Rows row_major(const Matrix& matrix) {
  Rows rows(static_cast<std::size_t>(matrix.size()));
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      rows.data(), matrix.rows(), matrix.cols()) = matrix;
  return rows;
}

/// Computes the product whose row (i, j) is the component-wise product of row i of a and row j of
/// b.
Rows khatri_rao(const Rows& a, const Rows& b, std::size_t rank) {
  Rows product(a.size() / rank * b.size());
  double* to = product.data();
  for (std::size_t i = 0; i < a.size(); i += rank) {
    for (std::size_t j = 0; j < b.size(); j += rank) {
      for (std::size_t k = 0; k < rank; ++k) *to++ = a[i + k] * b[j + k];
    }
  }
  return product;
}

}  // namespace

std::optional<Blas> Blas::find() {
  void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  Blas blas;
  blas.gemm_ = find_function<Gemm>(library, "cblas_dgemm");
  const auto set_threads = find_function<void (*)(int)>(library, "openblas_set_num_threads");
  const auto describe = find_function<const char* (*)()>(library, "openblas_get_config");
  if (blas.gemm_ == nullptr || set_threads == nullptr || describe == nullptr) return std::nullopt;
  set_threads(1);
  blas.name_ = describe();
  return blas;
}

void Blas::multiply(bool transpose_a, Index m, Index n, Index k, const double* a, Index lda,
                    const double* b, Index ldb, double beta, double* c, Index ldc) const {
  constexpr int row_major_layout = 101;
  constexpr int plain = 111;
  constexpr int transposed = 112;
  gemm_(row_major_layout, transpose_a ? transposed : plain, plain, static_cast<int>(m),
        static_cast<int>(n), static_cast<int>(k), 1, a, static_cast<int>(lda), b,
        static_cast<int>(ldb), beta, c, static_cast<int>(ldc));
}

double als_sweep(const Blas& blas, const TensorView& tensor, const CpModel& model) {
  const Shape& shape = tensor.shape();
  const Index rank = model.rank();
  const auto components = static_cast<std::size_t>(rank);
  const auto* x = tensor.typed<double>();
  const Rows a = row_major(model.factor(0));
  const Rows b = row_major(model.factor(1));
  const Rows c = row_major(model.factor(2));
  Rows first(a.size());
  Rows second(b.size());
  Rows third(c.size());

  const Rows slow = khatri_rao(b, c, components);
  blas.multiply(false, shape[0], rank, shape[1] * shape[2], x, shape[1] * shape[2], slow.data(),
                rank, 0, first.data(), rank);
  Rows scaled(c.size());
  for (Index i = 0; i < shape[0]; ++i) {
    const double* row = a.data() + i * rank;
    for (std::size_t at = 0; at < c.size(); ++at) scaled[at] = c[at] * row[at % components];
    blas.multiply(false, shape[1], rank, shape[2], x + i * shape[1] * shape[2], shape[2],
                  scaled.data(), rank, 1, second.data(), rank);
  }
  const Rows fast = khatri_rao(a, b, components);
  blas.multiply(true, shape[2], rank, shape[0] * shape[1], x, shape[2], fast.data(), rank, 0,
                third.data(), rank);
  const auto sum = [](const Rows& rows) { return std::accumulate(rows.begin(), rows.end(), 0.0); };
  return sum(first) + sum(second) + sum(third);
}

}  // namespace sunder::benchmark
