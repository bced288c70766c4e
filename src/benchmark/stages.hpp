#pragma once
/// The loops behind machine.hpp, compiled for the instruction set of this processor.

#include <cstdint>

#include "sunder/core/shape.hpp"

namespace sunder::benchmark::stages {

double sum(const double* values, Index count);

double multiply_add_f64(Index rounds);
double multiply_add_f32(Index rounds);
double flops_f64(Index rounds);
double flops_f32(Index rounds);

/// One slab of a tensor of order three: rows x columns at one index of the slowest mode.
template <class Real>
struct Slab {
  Index rows, columns, rank;
  const Real* row_factor;     ///< rows x rank, scaled by the slowest mode
  const Real* column_factor;  ///< rank x columns
  Real* dense;                ///< rows x columns: first L, then K
};

void model(const Slab<double>& slab);
void model(const Slab<float>& slab);
void keep(const Slab<double>& slab, const double* data, double threshold);
void keep(const Slab<float>& slab, const float* data, float threshold);
void keep(const Slab<float>& slab, const std::uint8_t* data, float threshold);
void over_columns(const Slab<double>& slab, double* by_row);
void over_columns(const Slab<float>& slab, float* by_row);
void over_rows(const Slab<double>& slab, double* by_column);
void over_rows(const Slab<float>& slab, float* by_column);

}  // namespace sunder::benchmark::stages
