#pragma once
/// The levels of the completion of a tensor whose rows are known from few entries. They were set on
/// one parking data set with random gaps, and tried on gaps of whole days and with errors.

#include "sunder/core/shape.hpp"

namespace sunder::robust::levels::completion {

// When it is needed, and when it is affordable.
inline constexpr double plenty = 30;      ///< entries of a row for each component
inline constexpr double poor_rows = 0.1;  ///< of a mode have fewer: then its rows need a prior
inline constexpr Index most_entries = Index{1}
                                      << 23;  ///< about twenty arrays of them are in memory
inline constexpr Index largest_mode = 1024;   ///< a covariance is decomposed in each step
/// Of the known entries: they decide whether rows are better found with a prior or without one.
inline constexpr double hidden_share = 0.1;
/// Medians of |R|: larger ones count as this. A fifth of the entries are often errors, whose
/// squares must not hide those of the others.
inline constexpr double hidden_limit = 4;
inline constexpr double clearly_better = 0.7;  ///< of the mean square
inline constexpr int cheap_rank = 8;  ///< components: a tournament costs less than a completion
/// Relative distance of the two L that are found with and without the hidden entries.
inline constexpr double same_model = 0.2;
inline constexpr int fits_of_trial = 1;  ///< of rows with a prior, for this comparison

// Rows with a prior. A field takes up what they leave, so that their number need not fit the data;
// the median of several fits predicts better than each of them, and than their mean: single fits
// of the parking data differ by a factor of two on whole days.
inline constexpr int components = 14;
inline constexpr int fits = 5;
inline constexpr int fewest_fits = 3;   ///< of a large tensor
inline constexpr double effort = 2e11;  ///< operations of the fits, and of the field's steps
inline constexpr int sweeps = 30;
inline constexpr double first_size = 0.5;         ///< of the random rows, relative to the entries
inline constexpr double first_variance = 0.1;     ///< of what is known of them
inline constexpr double most_persistence = 0.98;  ///< of a row from the one before
inline constexpr double unchained_rows = 2;       ///< that speak against persistence
inline constexpr double least_row_variance = 1e-12;  ///< relative to that of all components
inline constexpr Index columns_of_chunk = 512;  ///< second moments of a chunk stay in the cache

// Errors.
inline constexpr int soft_sweeps = 5;        ///< with weights that no entry loses at once
inline constexpr double soft_width = 4;      ///< of these weights, in standard deviations
inline constexpr double isolated_width = 6;  ///< an entry farther from its prediction is an error,
inline constexpr double crowd_width =
    6;  ///< unless errors crowd in a fibre by this many deviations
inline constexpr double fewest_in_crowd = 3;
inline constexpr double least_scale = 0.05;  ///< of a slice, relative to a usual one

// The field.
inline constexpr int field_steps =
    8;  ///< of expectation maximisation; 12 gave the same error within 3%
inline constexpr int fewest_field_steps = 3;  ///< of a large tensor
/// When conjugate gradients end. Covariances need rough fields only. The mean needs more: where
/// neighbours tell an entry almost exactly, a rough one had twice the error of an exact one.
struct Accuracy {
  int steps;
  double tolerance;
};
inline constexpr Accuracy each_solution{25, 0.02};
inline constexpr Accuracy last_solution{100, 0.002};
inline constexpr double first_noise = 0.1;  ///< of the variance of the residuals
inline constexpr double least_noise = 1e-4;
inline constexpr double least_eigenvalue = 1e-6;        ///< of a covariance, over its largest
inline constexpr double least_first_eigenvalue = 0.02;  ///< in the estimate from pairs of entries
inline constexpr double stationary_rows = 1;  ///< of the prior, for each row: see covariance.hpp
inline constexpr double most_leverage = 0.95;

// L of a completed tensor.
inline constexpr int low_rank_sweeps = 40;
inline constexpr double low_rank_tolerance = 1e-6;
inline constexpr int noise_steps = 4;

}  // namespace sunder::robust::levels::completion
