#include "sunder/core/scalar_type.hpp"

#include <array>

namespace sunder {

namespace {
struct Name {
  ScalarType type;
  std::string_view name;
};
constexpr std::array<Name, 6> names{{{ScalarType::f64, "f64"},
                                     {ScalarType::f32, "f32"},
                                     {ScalarType::u8, "u8"},
                                     {ScalarType::u16, "u16"},
                                     {ScalarType::i16, "i16"},
                                     {ScalarType::i32, "i32"}}};
}  // namespace

std::string_view to_string(ScalarType type) {
  for (const Name& entry : names) {
    if (entry.type == type) return entry.name;
  }
  return "unknown";
}

std::optional<ScalarType> parse_scalar_type(std::string_view name) {
  for (const Name& entry : names) {
    if (entry.name == name) return entry.type;
  }
  return std::nullopt;
}

}  // namespace sunder
