#include "algorithms/robust_cp/core/graduated/tucker.hpp"

#include <algorithm>

#include "algorithms/robust_cp/core/algebra/products.hpp"
#include "core/dense.hpp"

namespace sunder::robust {

namespace {

Matrix leading_directions(const RowMatrix& unfolding, int rank) {
  const Matrix gram = product_of(unfolding, unfolding.transpose());
  return symmetric_eigen(gram).vectors.rightCols(std::min<Index>(rank, gram.rows()));
}

/// X x_mode U'.
Entries multiply_mode(Shape& shape, const Entries& entries, int mode, const Matrix& directions) {
  const RowMatrix product =
      product_of<RowMatrix>(directions.transpose(), unfold(shape, entries, mode));
  std::vector<Index> extents(shape.begin(), shape.end());
  Index left = 1;
  for (int m = 0; m < mode; ++m) left *= shape[m];
  const Index right = shape.entries() / (left * shape[mode]);
  extents[mode] = directions.cols();
  shape = Shape(extents);
  Entries result(shape.entries());
  for (Index l = 0; l < left; ++l) {
    for (Index i = 0; i < directions.cols(); ++i) {
      result.segment((l * directions.cols() + i) * right, right) =
          product.row(i).segment(l * right, right).transpose().array();
    }
  }
  return result;
}

}  // namespace

Factors Tucker::expand(const Factors& small) const {
  Factors factors;
  for (std::size_t m = 0; m < small.size(); ++m) factors.emplace_back(directions[m] * small[m]);
  return factors;
}

Entries Tucker::evaluate() const {
  Shape now = shape;
  Entries entries = core;
  for (std::size_t m = 0; m < directions.size(); ++m) {
    entries = multiply_mode(now, entries, static_cast<int>(m), directions[m].transpose());
  }
  return entries;
}

Tucker compress(const Shape& shape, const Entries& entries, int rank) {
  Tucker tucker{{}, shape, entries};
  for (int mode = 0; mode < shape.order(); ++mode) {
    tucker.directions.push_back(leading_directions(unfold(shape, entries, mode), rank));
    tucker.core = multiply_mode(tucker.shape, tucker.core, mode, tucker.directions.back());
  }
  return tucker;
}

}  // namespace sunder::robust
