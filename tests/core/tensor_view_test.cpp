#include "sunder/core/tensor_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/random_input.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

/// 0, 1, 2, ... in memory.
std::vector<double> counting(Index count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  return numbers;
}

template <class Check>
void for_each_index(const Shape& shape, Check check) {
  for (Index k = 0; k < shape.entries(); ++k) check(shape.unravel(k), k);
}

TEST(TensorView, ReadsEveryTypeInBothOrders) {
  const Shape shape{2, 3, 4};
  for (const ScalarType type : {ScalarType::f64, ScalarType::f32, ScalarType::u8, ScalarType::u16,
                                ScalarType::i16, ScalarType::i32}) {
    with_scalar_type(type, [&]<class T>() {
      std::vector<T> memory;
      for (int k = 0; k < 24; ++k) memory.push_back(static_cast<T>(k + 100));
      const TensorView c = TensorView::of(memory.data(), shape);
      const TensorView fortran = TensorView::of(memory.data(), shape, StorageOrder::fortran);
      EXPECT_EQ(c.type(), type);
      for_each_index(shape, [&](const ModeIndices& at, Index k) {
        EXPECT_EQ(c(at), static_cast<double>(k + 100));
        EXPECT_EQ(fortran(at), static_cast<double>(at[0] + 2 * at[1] + 6 * at[2] + 100));
      });
    });
  }
}

TEST(TensorView, NegativeValuesAndNegativeStrides) {
  const std::vector<std::int16_t> memory{-3, -2, -1, 0};
  const TensorView reversed(memory.data() + 3, ScalarType::i16, Shape{4}, ModeIndices{-1});
  EXPECT_EQ(reversed({0}), 0);
  EXPECT_EQ(reversed({3}), -3);
}

TEST(TensorView, PermutedSeesTheSameEntries) {
  Rng random(1);
  for (int order = 1; order <= 5; ++order) {
    const Shape shape = test::random_shape(order, 4, random);
    const std::vector<double> memory = counting(shape.entries());
    for (const StorageOrder storage : {StorageOrder::c, StorageOrder::fortran}) {
      const TensorView view = TensorView::of(memory.data(), shape, storage);
      std::vector<int> modes(order);
      std::iota(modes.begin(), modes.end(), 0);
      do {
        const TensorView permuted = view.permuted(modes);
        for_each_index(permuted.shape(), [&](const ModeIndices& at, Index) {
          ModeIndices original{};
          for (std::size_t to = 0; to < modes.size(); ++to) {
            original[modes[to]] = at[to];
          }
          ASSERT_EQ(permuted(at), view(original));
        });
      } while (std::next_permutation(modes.begin(), modes.end()));
    }
  }
}

TEST(TensorView, SlabIsAShiftedWindow) {
  const Shape shape{5, 4, 6};
  const std::vector<double> memory = counting(shape.entries());
  for (const StorageOrder storage : {StorageOrder::c, StorageOrder::fortran}) {
    const TensorView view = TensorView::of(memory.data(), shape, storage);
    for (int mode = 0; mode < 3; ++mode) {
      const TensorView slab = view.slab(mode, 1, 4);
      EXPECT_EQ(slab.shape()[mode], 3);
      for_each_index(slab.shape(), [&](ModeIndices at, Index) {
        const double seen = slab(at);
        ++at[mode];
        ASSERT_EQ(seen, view(at));
      });
      EXPECT_EQ(view.slab(mode, 2, 2).entries(), 0);
    }
  }
}

TEST(TensorView, SlabCountsInBytesOfItsType) {
  const std::vector<std::uint16_t> memory{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(TensorView::of(memory.data(), Shape{3, 2}).slab(0, 2, 3)({0, 1}), 6);
}

TEST(TensorView, GroupedInCOrderIsAReshape) {
  const Shape shape{2, 3, 4, 5};
  const std::vector<double> memory = counting(shape.entries());
  const TensorView view = TensorView::of(memory.data(), shape);
  const TensorView grouped = view.grouped(std::vector<int>{2, 1});
  EXPECT_EQ(grouped.shape(), (Shape{2, 12, 5}));
  for_each_index(grouped.shape(), [&](const ModeIndices& at, Index k) {
    ASSERT_EQ(grouped(at), static_cast<double>(k));
  });
  EXPECT_EQ(view.grouped(std::vector<int>{0, 1, 2, 3}).shape(), (Shape{120}));
  EXPECT_EQ(view.grouped(std::vector<int>{1}).shape(), shape);
}

TEST(TensorView, GroupedInFortranOrderRunsTheFirstModeFastest) {
  const Shape shape{2, 3, 4};
  const std::vector<double> memory = counting(shape.entries());
  const TensorView view = TensorView::of(memory.data(), shape, StorageOrder::fortran);
  const TensorView grouped = view.grouped(std::vector<int>{0, 1});
  EXPECT_EQ(grouped.shape(), (Shape{6, 4}));
  for_each_index(shape, [&](const ModeIndices& at, Index) {
    ASSERT_EQ(grouped({at[0] + 2 * at[1], at[2]}), view(at));
  });
}

TEST(TensorView, GroupedAfterAPermutation) {
  const Shape shape{2, 3, 4};
  const std::vector<double> memory = counting(shape.entries());
  // Frames first in memory, seen as height x width x frames.
  const TensorView video = TensorView::of(memory.data(), shape).permuted(std::vector{1, 2, 0});
  const TensorView flat = video.grouped(std::vector<int>{0, 1});
  EXPECT_EQ(flat.shape(), (Shape{12, 2}));
  EXPECT_EQ(flat({5, 1}), 17);
}

TEST(TensorView, GroupedRejectsModesThatAreApart) {
  const std::vector<double> memory = counting(24);
  const TensorView view = TensorView::of(memory.data(), Shape{2, 3, 4});
  EXPECT_THROW(view.grouped(std::vector<int>{0, 2}), InputError);
  EXPECT_THROW(view.slab(1, 0, 2).grouped(std::vector<int>{0, 1}), InputError);
  EXPECT_NO_THROW(view.slab(0, 0, 1).grouped(std::vector<int>{1, 2}));
  EXPECT_THROW(view.grouped(std::vector<int>{}), InputError);
  EXPECT_THROW(view.grouped(std::vector<int>{0, 0}), InputError);
  EXPECT_THROW(view.grouped(std::vector<int>{1, 3}), InputError);
  EXPECT_THROW(view.grouped(std::vector<int>{-1, 0}), InputError);
}

TEST(TensorView, ModesOfLengthOneGroupWithAnything) {
  const std::vector<double> memory = counting(12);
  for (const StorageOrder storage : {StorageOrder::c, StorageOrder::fortran}) {
    for (const Shape& shape : {Shape{1, 4, 3}, Shape{4, 1, 3}, Shape{4, 3, 1}, Shape{1, 12, 1}}) {
      const TensorView view = TensorView::of(memory.data(), shape, storage);
      const TensorView flat = view.grouped(std::vector<int>{0, 1, 2});
      ASSERT_EQ(flat.shape(), (Shape{12}));
      for (Index k = 0; k < 12; ++k) EXPECT_EQ(flat({k}), static_cast<double>(k));
      EXPECT_NO_THROW(view.grouped(std::vector<int>{0, 1}));
      EXPECT_NO_THROW(view.grouped(std::vector<int>{1, 2}));
    }
    const TensorView ones = TensorView::of(memory.data(), Shape{1, 1, 12}, storage);
    EXPECT_EQ(ones.grouped(std::vector<int>{0, 1}).shape(), (Shape{1, 12}));
    EXPECT_EQ(ones.grouped(std::vector<int>{0, 2})({11, 0}), 11);
  }
}

TEST(TensorView, ModesByStrideWalkTheMemory) {
  const std::vector<double> memory = counting(24);
  const TensorView c = TensorView::of(memory.data(), Shape{2, 3, 4});
  const TensorView fortran = TensorView::of(memory.data(), Shape{2, 3, 4}, StorageOrder::fortran);
  const TensorView turned = c.permuted(std::vector{2, 0, 1});
  const auto first_three = [](const TensorView& view) {
    const auto modes = view.modes_by_stride();
    return std::vector<int>(modes.begin(), modes.begin() + 3);
  };
  EXPECT_EQ(first_three(c), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(first_three(fortran), (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(first_three(turned), (std::vector<int>{1, 2, 0}));
}

}  // namespace
}  // namespace sunder
