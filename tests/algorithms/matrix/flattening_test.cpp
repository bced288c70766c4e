#include "algorithms/matrix/flattening.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace sunder {
namespace {

/// Every entry is its own position in C order.
DenseTensor positions(const Shape& shape, StorageOrder order = StorageOrder::c) {
  DenseTensor tensor(shape, ScalarType::f64, order);
  const ModeIndices strides = contiguous_strides(shape, order);
  for (Index at = 0; at < shape.entries(); ++at) {
    const ModeIndices index = shape.unravel(at);
    const Index offset = std::inner_product(strides.begin(), strides.begin() + shape.order(),
                                            index.begin(), Index{0});
    tensor.typed<double>()[offset] = static_cast<double>(at);
  }
  return tensor;
}

TEST(Flattening, EveryEntryIsWhereTheLayoutSays) {
  for (const Shape& shape : {Shape{3, 4, 5}, Shape{4, 7}, Shape{2, 3, 4, 5}, Shape{3, 1, 4, 1}}) {
    for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
      const DenseTensor tensor = positions(shape, order);
      for (int mode = 0; mode < shape.order(); ++mode) {
        const Flattening flat(tensor.view(), mode);
        SCOPED_TRACE(to_string(shape) + " along " + std::to_string(mode));
        ASSERT_EQ(flat.matrix().shape(), flat.layout().matrix_shape());
        ASSERT_EQ(flat.matrix().shape()[0], shape[mode]);
        for (Index row = 0; row < shape[mode]; ++row) {
          for (Index column = 0; column < flat.matrix().shape()[1]; ++column) {
            const Index at = flat.layout().position(row, column);
            EXPECT_EQ(flat.matrix()({row, column}), static_cast<double>(at));
            EXPECT_EQ(shape.unravel(at)[mode], row);
          }
        }
      }
    }
  }
}

TEST(Flattening, CopiesOnlyWhatDoesNotLieTogether) {
  const DenseTensor tensor = positions(Shape{3, 4, 5});
  EXPECT_FALSE(Flattening(tensor.view(), 0).copied());
  EXPECT_TRUE(Flattening(tensor.view(), 1).copied());
  EXPECT_FALSE(Flattening(tensor.view(), 2).copied());
  const DenseTensor thin = positions(Shape{3, 4, 1});
  EXPECT_FALSE(Flattening(thin.view(), 1).copied());
}

TEST(Flattening, CutsOfALargerTensorAreFlattenedToo) {
  const DenseTensor tensor = positions(Shape{4, 5, 6});
  const TensorView cut = tensor.view().slab(2, 1, 4);
  for (int mode = 0; mode < 3; ++mode) {
    const Flattening flat(cut, mode);
    for (Index row = 0; row < cut.shape()[mode]; ++row) {
      for (Index column = 0; column < flat.matrix().shape()[1]; ++column) {
        const ModeIndices index = cut.shape().unravel(flat.layout().position(row, column));
        EXPECT_EQ(flat.matrix()({row, column}), cut(std::span<const Index>(index.data(), 3)));
      }
    }
  }
}

TEST(Slices, EveryEntryIsWhereTheLayoutSays) {
  for (const Shape& shape : {Shape{3, 4, 5}, Shape{4, 7}, Shape{2, 3, 4, 5}}) {
    const DenseTensor tensor = positions(shape, StorageOrder::fortran);
    for (int a = 0; a < shape.order(); ++a) {
      for (int b = 0; b < shape.order(); ++b) {
        if (a == b) continue;
        const SliceLayout layout{shape, {a, b}};
        std::vector<bool> seen(shape.entries(), false);
        for (Index slice = 0; slice < layout.slices(); ++slice) {
          const TensorView view = slice_view(tensor.view(), layout, slice);
          for (Index i = 0; i < shape[a]; ++i) {
            for (Index j = 0; j < shape[b]; ++j) {
              const Index at = layout.position(slice, i, j);
              EXPECT_EQ(view({i, j}), static_cast<double>(at));
              seen[at] = true;
            }
          }
        }
        EXPECT_EQ(std::count(seen.begin(), seen.end(), true), shape.entries());
      }
    }
  }
}

}  // namespace
}  // namespace sunder
