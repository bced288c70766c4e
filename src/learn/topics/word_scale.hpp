#pragma once
/// The scale that evens out the noise of the words' moments.

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// Returns a scale for each word. The noise of a moment is about that of a count, whose variance
/// grows with the product of the words' frequencies; divided by their square roots it is about
/// even. Rare words get no larger scale than words of a thousandth of the mean frequency. Throws
/// InputError if no word occurs.
Vector word_scale(const Vector& frequency);

}  // namespace sunder
