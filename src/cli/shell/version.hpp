#pragma once
/// The output of `sunder --version`: the build and its libraries.

#include <string>

namespace sunder::cli {

std::string version_for_people();
std::string version_as_json();

}  // namespace sunder::cli
