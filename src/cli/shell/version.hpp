#pragma once
/// What `sunder --version` says: how the program was built, and with what.

#include <string>

namespace sunder::cli {

std::string version_for_people();
std::string version_as_json();

}  // namespace sunder::cli
