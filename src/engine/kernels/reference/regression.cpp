#include "engine/kernels/regression.hpp"

#include <cmath>

namespace sunder::kernels::reference {

void row_residual(const Design& design, const double* y, const double* a, double* r) {
  for (Index j = 0; j < design.length; ++j) {
    r[j] = y[j];
    for (Index k = 0; k < design.rank; ++k) r[j] -= design.columns[k * design.stride + j] * a[k];
  }
}

double geman_mcclure_weights(Index length, const double* r, const double* observed, double c,
                             double* w) {
  double sum = 0;
  for (Index j = 0; j < length; ++j) {
    const double u = (r[j] / c) * (r[j] / c);
    w[j] = (observed != nullptr ? observed[j] : 1) / ((1 + u) * (1 + u));
    sum += w[j];
  }
  return sum;
}

double threshold_weights(Index length, const double* r, const double* observed, double c,
                         double* w) {
  double sum = 0;
  for (Index j = 0; j < length; ++j) {
    w[j] = std::abs(r[j]) <= c ? (observed != nullptr ? observed[j] : 1) : 0;
    sum += w[j];
  }
  return sum;
}

void weighted_normal(const Design& design, const double* r, const double* w, double* normal,
                     double* gradient) {
  for (Index k = 0; k < design.rank; ++k) {
    const double* column = design.columns + k * design.stride;
    gradient[k] = 0;
    for (Index j = 0; j < design.length; ++j) gradient[k] += w[j] * column[j] * r[j];
    for (Index l = k; l < design.rank; ++l) {
      const double* other = design.columns + l * design.stride;
      double sum = 0;
      for (Index j = 0; j < design.length; ++j) sum += w[j] * column[j] * other[j];
      normal[k * design.rank + l] = sum;
    }
  }
}

}  // namespace sunder::kernels::reference
