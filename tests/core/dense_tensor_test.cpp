#include "sunder/core/dense_tensor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <type_traits>

namespace sunder {
namespace {

TEST(DenseTensor, StartsAtZeroAndAligned) {
  for (const auto type : {ScalarType::f64, ScalarType::f32, ScalarType::u8, ScalarType::i32}) {
    const DenseTensor tensor(Shape{3, 5, 7}, type);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data()) % 64, 0U);
    EXPECT_EQ(tensor.bytes(), 105 * size_of(type));
    with_scalar_type(type, [&]<class T>() {
      const auto entries = tensor.typed<T>();
      EXPECT_TRUE(std::all_of(entries.begin(), entries.end(), [](T x) { return x == T{0}; }));
    });
  }
}

TEST(DenseTensor, ViewFollowsTheStorageOrder) {
  DenseTensor c(Shape{2, 3}, ScalarType::f32);
  DenseTensor fortran(Shape{2, 3}, ScalarType::f32, StorageOrder::fortran);
  for (std::size_t k = 0; k < 6; ++k) {
    c.typed<float>()[k] = static_cast<float>(k);
    fortran.typed<float>()[k] = static_cast<float>(k);
  }
  EXPECT_EQ(c.view()({1, 0}), 3);
  EXPECT_EQ(fortran.view()({1, 0}), 1);
  EXPECT_EQ(fortran.view()({1, 2}), 5);
}

TEST(DenseTensor, MovesWithoutCopying) {
  static_assert(!std::is_copy_constructible_v<DenseTensor>);
  DenseTensor a(Shape{4, 4});
  const void* memory = a.data();
  const DenseTensor b = std::move(a);
  EXPECT_EQ(b.data(), memory);
  EXPECT_EQ(b.entries(), 16);
}

TEST(DenseTensor, EmptyAndScalarShapes) {
  EXPECT_EQ(DenseTensor(Shape{0, 4}).bytes(), 0U);
  EXPECT_EQ(DenseTensor(Shape()).entries(), 1);
}

TEST(DenseTensor, CopiesOfViewsAreInCOrder) {
  DenseTensor tensor(Shape{3, 4, 5}, ScalarType::i16);
  std::int16_t value = 0;
  for (std::int16_t& x : tensor.typed<std::int16_t>()) x = value++;
  const std::array<int, 3> modes{2, 0, 1};
  const TensorView view = tensor.view().slab(1, 1, 3).permuted(modes);
  const DenseTensor copy = copy_of(view);
  EXPECT_EQ(copy.type(), ScalarType::i16);
  ASSERT_EQ(copy.shape(), (Shape{5, 3, 2}));
  for (Index at = 0; at < copy.entries(); ++at) {
    const ModeIndices index = copy.shape().unravel(at);
    EXPECT_EQ(copy.typed<std::int16_t>()[at], view(std::span<const Index>(index.data(), 3)));
  }
  EXPECT_EQ(copy_of(DenseTensor(Shape{0, 4}).view()).entries(), 0);
}

TEST(DenseTensor, BytesOfAHugeShapeDoNotWrapAround) {
  EXPECT_THROW(DenseTensor(Shape{Index{1} << 31, Index{1} << 28}), std::bad_alloc);
}

}  // namespace
}  // namespace sunder
