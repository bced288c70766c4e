#include "algorithms/robust_cp/noise/model/mode_group.hpp"

#include <algorithm>
#include <utility>

namespace sunder::robust {

ModeGroup::ModeGroup(const Shape& shape, int first, int last)
    : shape_(shape), first_(first), last_(last) {
  for (int m = first; m < last; ++m) size_ *= shape[m];
}

template <class Work>
void ModeGroup::for_each(Work work) const {
  ModeIndices at{};
  for (Index position = 0; position < size_; ++position) {
    work(position, at);
    for (int m = last_ - 1; m >= first_ && ++at[m] == shape_[m]; --m) at[m] = 0;
  }
}

RowMatrix ModeGroup::products(const Factors& factors) const {
  RowMatrix product = factors[first_];
  for (int m = first_ + 1; m < last_; ++m) {
    const RowMatrix factor = factors[m];
    RowMatrix longer(product.rows() * factor.rows(), factor.cols());
    for (Index i = 0; i < product.rows(); ++i) {
      longer.middleRows(i * factor.rows(), factor.rows()) =
          factor.array().rowwise() * product.row(i).array();
    }
    product = std::move(longer);
  }
  return product;
}

Vector ModeGroup::scales(const std::vector<Vector>& of_mode) const {
  Vector product = of_mode[first_];
  for (int m = first_ + 1; m < last_; ++m) {
    const RowMatrix outer = product * of_mode[m].transpose();
    product = Eigen::Map<const Vector>(outer.data(), outer.size());
  }
  return product;
}

void ModeGroup::add_products(const RowMatrix& products, const Factors& factors,
                             Factors& gradient) const {
  if (last_ - first_ == 1) {
    gradient[first_] += products;
    return;
  }
  const Index rank = products.cols();
  std::vector<RowMatrix> rows(factors.begin() + first_, factors.begin() + last_);
  std::vector<RowMatrix> sums;
  for (const RowMatrix& factor : rows) sums.push_back(RowMatrix::Zero(factor.rows(), rank));
  std::vector<double> x(rank);
  for_each([&](Index position, const ModeIndices& at) {
    for (int m = first_; m < last_; ++m) {
      std::copy_n(&products(position, 0), rank, x.data());
      for (int q = first_; q < last_; ++q) {
        if (q == m) continue;
        const double* row = &rows[q - first_](at[q], 0);
        for (Index k = 0; k < rank; ++k) x[k] *= row[k];
      }
      double* to = &sums[m - first_](at[m], 0);
      for (Index k = 0; k < rank; ++k) to[k] += x[k];
    }
  });
  for (int m = first_; m < last_; ++m) gradient[m] += sums[m - first_];
}

void ModeGroup::add_slices(const RowMatrix& sums, std::vector<SliceSums>& slices) const {
  for_each([&](Index position, const ModeIndices& at) {
    const double* from = &sums(position, 0);
    for (int m = first_; m < last_; ++m) {
      SliceSums& of = slices[m];
      of.score[at[m]] += from[0];
      of.weight[at[m]] += from[1];
      of.inliers[at[m]] += from[2];
      of.squares[at[m]] += from[3];
      of.observed[at[m]] += from[4];
    }
  });
}

}  // namespace sunder::robust
