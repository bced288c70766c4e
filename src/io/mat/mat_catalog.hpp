#pragma once
/// The variables of a MATLAB file.

#include <matio.h>

#include <optional>
#include <string>
#include <vector>

#include "sunder/core/scalar_type.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

struct MatEntry {
  std::string name;
  std::vector<Index> extents;
  std::optional<ScalarType> type;  ///< nullopt for a type that cannot be read
  std::string class_name;          ///< "double", "complex double", "struct", ...
};

MatEntry describe_variable(const matvar_t& variable);
std::vector<MatEntry> list_variables(mat_t& file);
/// Describes the contents, as in "it holds X1: 27 x 121 x 24 double, meta: 1 x 1 struct".
std::string describe_entries(const std::vector<MatEntry>& entries);

}  // namespace sunder
