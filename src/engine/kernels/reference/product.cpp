#include "engine/kernels/product.hpp"

namespace sunder::kernels::reference {

void multiply(const MatrixView& a, const MatrixView& b, double* c, Index c_step, bool add) {
  for (Index i = 0; i < a.rows; ++i) {
    for (Index j = 0; j < b.columns; ++j) {
      double sum = add ? c[i * c_step + j] : 0;
      for (Index p = 0; p < a.columns; ++p) {
        sum +=
            a.data[i * a.row_step + p * a.column_step] * b.data[p * b.row_step + j * b.column_step];
      }
      c[i * c_step + j] = sum;
    }
  }
}

}  // namespace sunder::kernels::reference
