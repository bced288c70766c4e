#include <fmt/format.h>

#include <array>

#include "io/npy/npy_header.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

struct Dtype {
  std::string_view code;  ///< kind and size
  ScalarType type;
};

constexpr std::array<Dtype, 7> supported = {{{"f8", ScalarType::f64},
                                             {"f4", ScalarType::f32},
                                             {"u1", ScalarType::u8},
                                             {"u2", ScalarType::u16},
                                             {"i2", ScalarType::i16},
                                             {"i4", ScalarType::i32},
                                             {"b1", ScalarType::u8}}};

/// Suggests what to do about a dtype that cannot be read.
std::string remedy(std::string_view code) {
  const char kind = code.empty() ? '?' : code.front();
  if (code == "i1") return "convert it with array.astype(np.int16)";
  if (code == "f2") return "convert it with array.astype(np.float32)";
  if (kind == 'i' || kind == 'u' || kind == 'f') return "convert it with array.astype(np.float64)";
  if (kind == 'c') return "complex numbers are not supported; save array.real or abs(array)";
  if (kind == 'O') return "it holds pickled objects; convert it with array.astype(np.float64)";
  if (kind == '[' || kind == '(') return "it has several fields; save one of them, array['field']";
  if (kind == 'S' || kind == 'U' || kind == 'a') {
    return "it holds text; convert it with array.astype(np.float64)";
  }
  return "convert it to numbers with array.astype(np.float64)";
}

}  // namespace

ScalarType scalar_type_of_dtype(const std::string& dtype, const std::string& name,
                                std::string_view afterwards) {
  const bool has_byte_order =
      !dtype.empty() && std::string_view("<>=|").find(dtype.front()) != std::string_view::npos;
  const std::string_view code = std::string_view(dtype).substr(has_byte_order ? 1 : 0);
  const bool big_endian = has_byte_order && dtype.front() == '>';
  for (const Dtype& known : supported) {
    if (known.code != code) continue;
    if (!big_endian || size_of(known.type) == 1) return known.type;
    throw InputError(
        fmt::format("cannot read {}: its dtype {} is big-endian; convert it with "
                    "array.astype('<{}'){}",
                    name, dtype, code, afterwards));
  }
  throw InputError(fmt::format(
      "cannot read {}: its dtype {} is not one of float64, float32, uint8, uint16, int16, int32 "
      "and bool; {}{}",
      name, dtype, remedy(code), afterwards));
}

std::string_view dtype_of(ScalarType type) {
  switch (type) {
    case ScalarType::f32:
      return "<f4";
    case ScalarType::u8:
      return "|u1";
    case ScalarType::u16:
      return "<u2";
    case ScalarType::i16:
      return "<i2";
    case ScalarType::i32:
      return "<i4";
    case ScalarType::f64:
      break;
  }
  return "<f8";
}

}  // namespace sunder
