#pragma once
/// Which option an error is about.

#include <string>

#include "sunder/core/error.hpp"
#include "sunder/core/option_name.hpp"

namespace sunder::test {

/// Returns the option that the OptionError of the attempt names first, or an empty text if the
/// attempt succeeds.
template <class Attempt>
std::string refused_option(const Attempt& attempt) {
  try {
    attempt();
  } catch (const OptionError& error) {
    return option_of(error.what());
  }
  return "";
}

/// The same for options that are validated.
template <class Options>
std::string wrong_option(const Options& options) {
  return refused_option([&] { validate(options); });
}

}  // namespace sunder::test
