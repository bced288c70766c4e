#pragma once
/// Which fields of RunOptions a method can heed.

#include <string>
#include <string_view>

#include "sunder/algorithms/method.hpp"

namespace sunder {

/// One sentence that says what the method cannot do; empty if it can do everything.
std::string sentence_of(std::string_view method, const MethodAbilities& abilities);

/// Throws OptionError with that sentence for a field that the method cannot heed, so that nothing
/// is ignored silently.
void require_heeded(std::string_view method, const MethodAbilities& abilities,
                    const RunOptions& run);

}  // namespace sunder
