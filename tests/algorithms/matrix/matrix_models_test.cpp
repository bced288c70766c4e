#include "algorithms/matrix/matrix_models.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "planted_problem.hpp"

namespace sunder {
namespace {

void expect_normalised(const CpModel& model) {
  for (Index i = 0; i < model.rank(); ++i) {
    EXPECT_GT(model.weights()[i], 0);
    EXPECT_LE(model.weights()[i], model.weights()[std::max<Index>(i - 1, 0)]);
    for (const Matrix& factor : model.factors()) EXPECT_NEAR(factor.col(i).norm(), 1, 1e-13);
  }
}

double entry_at(const CpModel& model, Index position) {
  const ModeIndices index = model.shape().unravel(position);
  return model.entry(std::span<const Index>(index.data(), static_cast<std::size_t>(model.order())));
}

/// Any order of the column modes, as tensors in Fortran order have it.
std::vector<FlatteningLayout> layouts_of(const Shape& shape) {
  std::vector<FlatteningLayout> layouts;
  for (int mode = 0; mode < shape.order(); ++mode) {
    std::vector<int> others;
    for (int other = 0; other < shape.order(); ++other) {
      if (other != mode) others.push_back(other);
    }
    layouts.push_back({shape, mode, others});
    layouts.push_back({shape, mode, {others.rbegin(), others.rend()}});
  }
  return layouts;
}

TEST(MatrixModels, AFlatteningHasTheSameEntriesAsATensor) {
  for (const Shape& shape : {Shape{4, 3, 5}, Shape{6, 4}, Shape{3, 2, 4, 3}, Shape{3, 1, 5}}) {
    for (const FlatteningLayout& layout : layouts_of(shape)) {
      const CpModel matrix = test::random_model(layout.matrix_shape(), 2, 7);
      const CpModel tensor = unflattened(matrix, layout);
      SCOPED_TRACE(to_string(shape) + " along " + std::to_string(layout.row_mode));
      ASSERT_EQ(tensor.shape(), shape);
      expect_normalised(tensor);
      for (Index row = 0; row < layout.matrix_shape()[0]; ++row) {
        for (Index column = 0; column < layout.matrix_shape()[1]; ++column) {
          EXPECT_NEAR(entry_at(tensor, layout.position(row, column)), matrix.entry({row, column}),
                      1e-13);
        }
      }
    }
  }
}

TEST(MatrixModels, FibresRunAlongTheLongestMode) {
  const FlatteningLayout layout{Shape{4, 3, 50}, 0, {1, 2}};
  EXPECT_EQ(unflattened(test::random_model(layout.matrix_shape(), 2, 1), layout).rank(), 2 * 3);
  const FlatteningLayout other{Shape{4, 50, 3}, 0, {1, 2}};
  EXPECT_EQ(unflattened(test::random_model(other.matrix_shape(), 2, 1), other).rank(), 2 * 3);
}

TEST(MatrixModels, StackedSlicesHaveTheEntriesOfEach) {
  for (const SliceLayout& layout :
       {SliceLayout{Shape{4, 3, 5}, {0, 1}}, SliceLayout{Shape{4, 3, 5}, {2, 0}},
        SliceLayout{Shape{6, 4}, {1, 0}}, SliceLayout{Shape{3, 2, 4, 3}, {1, 3}}}) {
    std::vector<CpModel> slices;
    for (Index k = 0; k < layout.slices(); ++k) {
      slices.push_back(test::random_model(layout.slice_shape(), 2, static_cast<std::uint64_t>(k)));
    }
    const CpModel tensor = stacked(slices, layout);
    ASSERT_EQ(tensor.shape(), layout.shape);
    EXPECT_EQ(tensor.rank(), 2 * layout.slices());
    expect_normalised(tensor);
    for (Index k = 0; k < layout.slices(); ++k) {
      for (Index i = 0; i < layout.slice_shape()[0]; ++i) {
        for (Index j = 0; j < layout.slice_shape()[1]; ++j) {
          EXPECT_NEAR(entry_at(tensor, layout.position(k, i, j)), slices[k].entry({i, j}), 1e-13);
        }
      }
    }
  }
}

TEST(MatrixModels, ComponentsWithoutWeightAreLeftOut) {
  const FlatteningLayout flat{Shape{4, 3, 5}, 0, {1, 2}};
  EXPECT_EQ(unflattened(CpModel::zero(flat.matrix_shape()), flat).rank(), 0);
  CpModel model = test::random_model(flat.matrix_shape(), 2, 1);
  Matrix right = model.factor(1);
  right.col(0).segment(5, 5).setZero();  // the fibre at index 1 of mode 1
  model = CpModel(Vector{{1.0, 0.0}}, {model.factor(0), right});
  EXPECT_EQ(unflattened(model, flat).rank(), 2);
  const SliceLayout slices{Shape{4, 15, 2}, {0, 1}};
  EXPECT_EQ(stacked({model, CpModel::zero(Shape{4, 15})}, slices).rank(), 1);
}

TEST(MatrixModels, SparseEntriesKeepTheirPlaces) {
  const FlatteningLayout flat{Shape{4, 3, 5}, 1, {2, 0}};
  const Shape matrix = flat.matrix_shape();
  const SparseTensor entries(matrix, {matrix.linear(std::array<Index, 2>{2, 7}), 3}, {1.5, -2});
  const SparseTensor found = unflattened(entries, flat);
  ASSERT_EQ(found.count(), 2);
  EXPECT_EQ(found.shape(), flat.shape);
  for (Index k = 0; k < 2; ++k) {
    const bool first = found.values()[k] == 1.5;
    EXPECT_EQ(found.positions()[k], first ? flat.position(2, 7) : flat.position(0, 3));
  }
  const SliceLayout layout{Shape{2, 3, 2}, {0, 1}};
  const SparseTensor both = stacked(
      {SparseTensor(Shape{2, 3}, {4}, {1.0}), SparseTensor(Shape{2, 3}, {0}, {2.0})}, layout);
  EXPECT_EQ(both.coordinates(0), (ModeIndices{0, 0, 1}));
  EXPECT_EQ(both.values()[0], 2.0);
  EXPECT_EQ(both.coordinates(1), (ModeIndices{1, 1, 0}));
}

}  // namespace
}  // namespace sunder
