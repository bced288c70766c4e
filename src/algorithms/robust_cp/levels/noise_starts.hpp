#pragma once
/// The levels of the starts, those of the NumPy prototype where nothing is said.

#include "sunder/core/shape.hpp"

namespace sunder::robust::levels::starts {

inline constexpr int graduated_steps = 40;
/// Entries on which quantiles and costs are taken: a quartile is that of a share of .25 +- .007.
inline constexpr Index sample = 4000;
inline constexpr double scale_falls = 0.8;   ///< of the scale, in each step
inline constexpr double widest = 3;          ///< root mean squares of the residual, at the start
inline constexpr double narrowest = 6;       ///< lower quartiles of |residual|: 1.9 sigma of noise
inline constexpr double least_weight = 0.4;  ///< mean weight that a step divides by, at least
inline constexpr double first_damping = 1e-3;
inline constexpr double least_damping = 1e-4;
inline constexpr double settled = 0.02;      ///< relative change of L at which it ends
inline constexpr int first_pruning = 3;      ///< step from which surplus components may go,
inline constexpr int last_pruning = 25;      ///< and at which they have to
inline constexpr int rest = 3;               ///< steps after pruning
inline constexpr double large_signal = 0.5;  ///< of rms(L): where L is large,
inline constexpr int enough_telling = 50;    ///< if there are more such entries than these
inline constexpr int fill_rounds = 4;        ///< of filling missing entries in
inline constexpr int joint_steps = 3;        ///< after each component of the greedy start
inline constexpr double greedy_width = 2.4;  ///< standard deviations, of its weights
inline constexpr int clean_rounds = 3;
inline constexpr double clean_width = 3.5;  ///< standard deviations: errors lie beyond
inline constexpr int clean_sweeps = 300;    ///< of alternating least squares
inline constexpr double clean_tolerance = 1e-9;
inline constexpr int clean_tries = 3;       ///< from random factors
inline constexpr int diagonalisations = 2;  ///< with other combinations of slices

}  // namespace sunder::robust::levels::starts
