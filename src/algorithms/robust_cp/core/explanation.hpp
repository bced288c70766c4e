#pragma once
/// Which of several models explains data best that none of them fits to rounding.
///
/// A robust fit looks for the model with the smallest noise. Where noise has many sizes (most of a
/// spectrum is nearly zero, and its peaks are uncertain by a per cent), that model fits the quiet
/// part and gives up the peaks, which are the signal. Least squares, which sees mostly them, is
/// then right.

#include <vector>

#include "algorithms/robust_cp/core/core_solver.hpp"

namespace sunder::robust {

/// Nats for each entry, at the best sigma, of residuals that are either normal or anywhere within
/// the range of the data: min over sigma of the mean of min(r^2 / (2 sigma^2) + log sigma, log
/// range).
double description_length(const std::vector<double>& magnitudes, double range);

/// From least squares on a core, by Geman-McClure weights that become narrower and narrower, the
/// model of the shortest description. Missing entries are filled in by the model for the start.
/// Every model on the way obeys the constraints, of which none shares factors.
CoreSolution best_explained_core(const DenseCore& core, int rank, Rng& rng, Monitor& monitor,
                                 const ModeConstraints& constraints = {});

}  // namespace sunder::robust
