#pragma once
/// Tensors of low multilinear rank, L = core x_1 U_1 x_2 U_2 ..., and what they are as CP models.

#include <span>
#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder {

struct TuckerModel {
  Shape core_shape;
  std::vector<double> core;     ///< in C order
  std::vector<Matrix> factors;  ///< U_m, extent_m x rank_m
};

/// The tensor, in C order, projected onto the spans of orthonormal factors: core = T x_m U_m^T.
TuckerModel projected(std::span<const double> tensor, const Shape& shape,
                      std::vector<Matrix> factors);

/// Components along the fibres of the core's longest mode; for order 3 and the third mode
///
///     L = sum_ab  u_1a o u_2b o U_3 core(a, b, :),
///
/// r_1 r_2 of them. Those of weight zero are left out. Normalised, heaviest first.
CpModel cp_model(const TuckerModel& tucker);

}  // namespace sunder
