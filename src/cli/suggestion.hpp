#pragma once
/// What a misspelt word was probably meant to be.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::cli {

/// The number of letters to insert, delete, replace or swap with their neighbour to make one word
/// from the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The word that is nearest to the given one, if a third of its letters, and at least one, may be
/// wrong; of several, the first.
std::optional<std::string> nearest_word(std::string_view word,
                                        const std::vector<std::string>& known);

/// ": did you mean 'decompose'?", or nothing where no known word comes near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace sunder::cli
