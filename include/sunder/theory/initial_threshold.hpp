#pragma once
/// Step 2 of Algorithm 1 of the paper: zeta_0 = beta sigma_1(T), S0 = HT_zeta0(T).

#include "sunder/theory/spectral_norm.hpp"

namespace sunder {

struct InitialThreshold {
  double tensor_norm = 0;   ///< sigma_1(T), estimated as ||T||
  double threshold = 0;     ///< zeta_0
  Index removed = 0;        ///< entries of S0
  double cleaned_norm = 0;  ///< ||T - S0||, on which tau depends
};

/// Computes the initial threshold for T = L + S. With beta = 4 mu^3 r / n^1.5 the threshold is
/// several times the largest entry of L, so only entries in the support of S can exceed it. Only
/// those are examined, and T itself is not needed. Throws InputError if the shapes differ.
InitialThreshold initial_threshold(const CpModel& low_rank, const SparseTensor& sparse, double beta,
                                   const BlockStructure& blocks = {},
                                   const SpectralNormOptions& options = {});

}  // namespace sunder
