#pragma once
/// What evens out the noise of words' moments.

#include "sunder/core/cp_model.hpp"

namespace sunder {

/// The noise of a moment is about that of a count, whose variance grows with the product of the
/// words' frequencies: divided by their square roots it is about even. Words that hardly occur get
/// no larger scale than those of a thousandth of the mean frequency. Throws InputError if none
/// occurs.
Vector word_scale(const Vector& frequency);

}  // namespace sunder
