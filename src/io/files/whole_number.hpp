#pragma once
/// Strict reading of integers from JSON.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sunder/core/error.hpp"

namespace sunder {

/// Reads an integer. The JSON library would convert 2.5 or 1e300, the latter with undefined
/// behaviour.
template <class Number>
Number whole_number(const nlohmann::json& json) {
  const bool fits = json.is_number_unsigned() ? std::in_range<Number>(json.get<std::uint64_t>())
                                              : json.is_number_integer() &&
                                                    std::in_range<Number>(json.get<std::int64_t>());
  if (!fits) throw InputError("it has something else where a whole number should be");
  return json.get<Number>();
}

template <class Number>
std::vector<Number> whole_numbers(const nlohmann::json& list) {
  std::vector<Number> numbers;
  for (const nlohmann::json& json : list) numbers.push_back(whole_number<Number>(json));
  return numbers;
}

}  // namespace sunder
