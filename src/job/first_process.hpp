#pragma once
/// What the first of several processes knows, told to all of them. Every process calls these
/// functions, and all get the value of the first.

#include <cstdint>
#include <string>

#include "sunder/core/communicator.hpp"

namespace sunder {

std::string text_of_first(const Communicator& processes, const std::string& text);
/// Exact up to 2^53.
std::int64_t number_of_first(const Communicator& processes, std::int64_t number);

}  // namespace sunder
