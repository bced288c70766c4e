#include "sunder/learn/component_score.hpp"

#include <fmt/format.h>

#include "sunder/core/error.hpp"
#include "sunder/core/matching.hpp"

namespace sunder {

ComponentScore score_components(const Matrix& found, const Matrix& truth, ColumnDistance distance) {
  if (found.rows() != truth.rows() || found.cols() != truth.cols()) {
    throw InputError(fmt::format(
        "the truth has {} components of {} variables, but {} of {} variables were learned",
        truth.cols(), truth.rows(), found.cols(), found.rows()));
  }
  Matrix apart(found.cols(), truth.cols());
  for (Index i = 0; i < found.cols(); ++i) {
    for (Index j = 0; j < truth.cols(); ++j) {
      const Vector difference = found.col(i) - truth.col(j);
      apart(i, j) =
          distance == ColumnDistance::l1 ? difference.cwiseAbs().sum() : difference.norm();
    }
  }
  ComponentScore score;
  score.partner = best_assignment(-apart);
  for (Index i = 0; i < found.cols(); ++i) {
    score.error.push_back(apart(i, score.partner[i]));
    score.mean_error += score.error.back() / static_cast<double>(found.cols());
  }
  return score;
}

}  // namespace sunder
