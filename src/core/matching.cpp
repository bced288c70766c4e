#include "sunder/core/matching.hpp"

#include <cassert>
#include <cmath>
#include <limits>

namespace sunder {

namespace {

/// Finds the minimum-cost assignment of every row to its own column, rows <= columns. Rows are
/// added one at a time; each addition is a shortest augmenting path under the reduced costs cost -
/// u - v >= 0. Column 0 is a sentinel, so all numbering starts at 1.
std::vector<int> cheapest_assignment(const Matrix& cost) {
  const int rows = static_cast<int>(cost.rows());
  const int columns = static_cast<int>(cost.cols());
  const auto size = static_cast<std::size_t>(columns) + 1;
  Vector u = Vector::Zero(rows + 1);
  Vector v = Vector::Zero(columns + 1);
  std::vector<int> row_of(size, 0);
  std::vector<int> previous(size, 0);
  for (int row = 1; row <= rows; ++row) {
    std::vector<double> slack(size, std::numeric_limits<double>::infinity());
    std::vector<bool> visited(size, false);
    row_of[0] = row;
    int column = 0;
    while (row_of[column] != 0) {
      visited[column] = true;
      const int i = row_of[column];
      double step = std::numeric_limits<double>::infinity();
      int next = 0;
      for (int j = 1; j <= columns; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (visited[at]) continue;
        const double reduced = cost(i - 1, j - 1) - u[i] - v[j];
        if (reduced < slack[at]) {
          slack[at] = reduced;
          previous[at] = column;
        }
        if (slack[at] < step) {
          step = slack[at];
          next = j;
        }
      }
      for (int j = 0; j <= columns; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (visited[at]) {
          u[row_of[at]] += step;
          v[j] -= step;
        } else {
          slack[at] -= step;
        }
      }
      column = next;
    }
    while (column != 0) {
      const int before = previous[column];
      row_of[column] = row_of[before];
      column = before;
    }
  }
  std::vector<int> column_of(rows, -1);
  for (int j = 1; j <= columns; ++j) {
    const int row = row_of[j];
    if (row > 0) column_of[row - 1] = j - 1;
  }
  return column_of;
}

}  // namespace

std::vector<int> best_assignment(const Matrix& value) {
  assert(value.allFinite());
  if (value.rows() <= value.cols()) return cheapest_assignment(-value);
  const std::vector<int> row_of = cheapest_assignment(-value.transpose());
  std::vector<int> column_of(value.rows(), -1);
  for (std::size_t column = 0; column < row_of.size(); ++column) {
    column_of[row_of[column]] = static_cast<int>(column);
  }
  return column_of;
}

ComponentMatch match_components(const CpModel& model, const CpModel& other) {
  Matrix cosine = Matrix::Ones(model.rank(), other.rank());
  for (int mode = 0; mode < model.order(); ++mode) {
    const Matrix a = model.factor(mode).colwise().normalized();
    const Matrix b = other.factor(mode).colwise().normalized();
    cosine.array() *= (a.transpose() * b).array().abs();
  }
  // A component with non-finite entries matches nothing; zero keeps the comparisons well defined.
  cosine = cosine.array().isFinite().select(cosine, 0.0);
  ComponentMatch match;
  match.partner = best_assignment(cosine);
  for (std::size_t i = 0; i < match.partner.size(); ++i) {
    const int j = match.partner[i];
    match.cosine.push_back(j < 0 ? 0.0 : cosine(static_cast<Index>(i), j));
  }
  return match;
}

}  // namespace sunder
