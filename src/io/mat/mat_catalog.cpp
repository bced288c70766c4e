#include "io/mat/mat_catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace sunder {

namespace {

struct MatClass {
  matio_classes code;
  const char* name;
  std::optional<ScalarType> type;
};

const std::vector<MatClass>& classes() {
  static const std::vector<MatClass> table = {{MAT_C_DOUBLE, "double", ScalarType::f64},
                                              {MAT_C_SINGLE, "single", ScalarType::f32},
                                              {MAT_C_UINT8, "uint8", ScalarType::u8},
                                              {MAT_C_UINT16, "uint16", ScalarType::u16},
                                              {MAT_C_INT16, "int16", ScalarType::i16},
                                              {MAT_C_INT32, "int32", ScalarType::i32},
                                              {MAT_C_INT8, "int8", {}},
                                              {MAT_C_UINT32, "uint32", {}},
                                              {MAT_C_INT64, "int64", {}},
                                              {MAT_C_UINT64, "uint64", {}},
                                              {MAT_C_EMPTY, "empty", {}},
                                              {MAT_C_CELL, "cell", {}},
                                              {MAT_C_STRUCT, "struct", {}},
                                              {MAT_C_OBJECT, "object", {}},
                                              {MAT_C_CHAR, "char", {}},
                                              {MAT_C_SPARSE, "sparse", {}},
                                              {MAT_C_FUNCTION, "function", {}},
                                              {MAT_C_OPAQUE, "opaque", {}}};
  return table;
}

}  // namespace

MatEntry describe_variable(const matvar_t& variable) {
  MatEntry entry;
  entry.name = variable.name != nullptr ? variable.name : "";
  for (int mode = 0; mode < variable.rank && variable.dims != nullptr; ++mode) {
    constexpr auto largest = static_cast<std::size_t>(std::numeric_limits<Index>::max());
    entry.extents.push_back(static_cast<Index>(std::min(variable.dims[mode], largest)));
  }
  entry.class_name = "unknown";
  for (const MatClass& known : classes()) {
    if (known.code != variable.class_type) continue;
    entry.class_name = known.name;
    entry.type = known.type;
  }
  if (variable.isLogical != 0) entry.class_name = "logical";
  if (variable.isComplex != 0) {
    entry.class_name = "complex " + entry.class_name;
    entry.type.reset();
  }
  return entry;
}

std::vector<MatEntry> list_variables(mat_t& file) {
  std::vector<MatEntry> entries;
  Mat_Rewind(&file);
  while (matvar_t* const variable = Mat_VarReadNextInfo(&file)) {
    const std::unique_ptr<matvar_t, void (*)(matvar_t*)> owner(variable, Mat_VarFree);
    entries.push_back(describe_variable(*variable));
  }
  Mat_Rewind(&file);
  return entries;
}

std::string describe_entries(const std::vector<MatEntry>& entries) {
  std::vector<std::string> parts;
  for (const MatEntry& entry : entries) {
    parts.push_back(
        fmt::format("{}: {} {}", entry.name, fmt::join(entry.extents, " x "), entry.class_name));
  }
  return parts.empty() ? "it holds no variable"
                       : fmt::format("it holds {}", fmt::join(parts, ", "));
}

}  // namespace sunder
