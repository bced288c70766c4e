#pragma once
/// The number types in which a tensor may be stored. Arithmetic is always in floating point;
/// entries are widened as they are read.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sunder {

enum class ScalarType { f64, f32, u8, u16, i16, i32 };

/// Returns the name of a type: "f64", "u8", ...
std::string_view to_string(ScalarType type);
std::optional<ScalarType> parse_scalar_type(std::string_view name);

template <class T>
constexpr ScalarType scalar_type_of() {
  if constexpr (std::is_same_v<T, double>) {
    return ScalarType::f64;
  } else if constexpr (std::is_same_v<T, float>) {
    return ScalarType::f32;
  } else if constexpr (std::is_same_v<T, std::uint8_t>) {
    return ScalarType::u8;
  } else if constexpr (std::is_same_v<T, std::uint16_t>) {
    return ScalarType::u16;
  } else if constexpr (std::is_same_v<T, std::int16_t>) {
    return ScalarType::i16;
  } else {
    static_assert(std::is_same_v<T, std::int32_t>, "not a storage type of a tensor");
    return ScalarType::i32;
  }
}

/// Calls `f.template operator()<T>()` for the C++ type behind `type`.
template <class F>
decltype(auto) with_scalar_type(ScalarType type, F&& f) {
  switch (type) {
    case ScalarType::f32:
      return std::forward<F>(f).template operator()<float>();
    case ScalarType::u8:
      return std::forward<F>(f).template operator()<std::uint8_t>();
    case ScalarType::u16:
      return std::forward<F>(f).template operator()<std::uint16_t>();
    case ScalarType::i16:
      return std::forward<F>(f).template operator()<std::int16_t>();
    case ScalarType::i32:
      return std::forward<F>(f).template operator()<std::int32_t>();
    case ScalarType::f64:
      break;
  }
  return std::forward<F>(f).template operator()<double>();
}

inline std::size_t size_of(ScalarType type) {
  return with_scalar_type(type, []<class T>() { return sizeof(T); });
}

}  // namespace sunder
