#pragma once
/// Columns of a design by the components that are not zero on them.

#include <vector>

#include "sunder/core/cp_model.hpp"

namespace sunder::robust {

class ColumnClasses {
 public:
  explicit ColumnClasses(const Matrix& design);

  Index count() const { return std::ssize(patterns_); }
  Index of(Index column) const { return class_of_[column]; }
  /// The columns of a class, with the components that are not zero on them.
  Matrix alive_part(const Matrix& design, Index which) const;

 private:
  std::vector<std::vector<bool>> patterns_;  ///< which components are not zero
  std::vector<Index> class_of_;
};

}  // namespace sunder::robust
