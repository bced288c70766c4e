#include "algorithms/robust_cp/consensus/rows/column_classes.hpp"

#include <cmath>
#include <map>

#include "algorithms/robust_cp/levels/search.hpp"

namespace sunder::robust {

ColumnClasses::ColumnClasses(const Matrix& design) {
  const Eigen::RowVectorXd least =
      levels::rivals::least_design * design.cwiseAbs().colwise().maxCoeff();
  std::map<std::vector<bool>, Index> known;
  class_of_.reserve(static_cast<std::size_t>(design.rows()));
  std::vector<bool> pattern(static_cast<std::size_t>(design.cols()));
  for (Index j = 0; j < design.rows(); ++j) {
    for (Index k = 0; k < design.cols(); ++k) pattern[k] = std::abs(design(j, k)) > least[k];
    const auto [entry, added] = known.emplace(pattern, std::ssize(patterns_));
    if (added) patterns_.push_back(pattern);
    class_of_.push_back(entry->second);
  }
}

Matrix ColumnClasses::alive_part(const Matrix& design, Index which) const {
  std::vector<Index> columns;
  std::vector<Index> components;
  for (Index j = 0; j < design.rows(); ++j) {
    if (class_of_[j] == which) columns.push_back(j);
  }
  for (Index k = 0; k < design.cols(); ++k) {
    if (patterns_[which][k]) components.push_back(k);
  }
  return design(columns, components);
}

}  // namespace sunder::robust
