#include "engine/gather/gather.hpp"

#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

/// Entry = its position in C order.
DenseTensor counting(const Shape& shape, ScalarType type, StorageOrder order) {
  DenseTensor tensor(shape, type, order);
  with_scalar_type(type, [&]<class T>() {
    for (Index position = 0; position < shape.entries(); ++position) {
      const ModeIndices index = shape.unravel(position);
      Index offset = 0;
      for (int mode = 0; mode < shape.order(); ++mode) {
        offset += index[mode] * tensor.view().stride(mode);
      }
      tensor.typed<T>()[offset] = static_cast<T>(position);
    }
  });
  return tensor;
}

TEST(Gather, ReadsASubTensorFromAnyLayout) {
  const std::vector<std::vector<Index>> indices{{0, 2, 3}, {}, {1, 4}};
  for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
    for (const ScalarType type : {ScalarType::f64, ScalarType::f32, ScalarType::u8}) {
      const DenseTensor tensor = counting(Shape{4, 3, 5}, type, order);
      const DenseTensor part = gather(tensor.view(), indices, ScalarType::f64, 2);
      ASSERT_TRUE(part.shape() == (Shape{3, 3, 2}));
      for (Index i = 0; i < 3; ++i) {
        for (Index j = 0; j < 3; ++j) {
          for (Index k = 0; k < 2; ++k) {
            const auto expected = static_cast<double>(
                tensor.shape().linear(std::vector<Index>{indices[0][i], j, indices[2][k]}));
            EXPECT_EQ(part.view()({i, j, k}), expected);
          }
        }
      }
    }
  }
}

TEST(Gather, ReadsSampledFibresOfEveryMode) {
  const std::vector<ModeIndices> samples{{3, 2, 4}, {0, 1, 1}, {0, 1, 1}, {2, 0, 3}};
  for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
    const DenseTensor tensor = counting(Shape{4, 3, 5}, ScalarType::i16, order);
    for (int mode = 0; mode < 3; ++mode) {
      const std::vector<Index> rows = mode == 1 ? std::vector<Index>{0, 2} : std::vector<Index>{};
      const Matrix fibres = gather_fibres(tensor.view(), mode, samples, rows, 2);
      ASSERT_EQ(fibres.rows(), mode == 1 ? 2 : tensor.shape()[mode]);
      for (Index i = 0; i < fibres.rows(); ++i) {
        for (std::size_t c = 0; c < samples.size(); ++c) {
          ModeIndices index = samples[c];
          index[mode] = rows.empty() ? i : rows[i];
          EXPECT_EQ(fibres(i, static_cast<Index>(c)),
                    static_cast<double>(tensor.shape().linear(std::span(index.data(), 3))));
        }
      }
    }
  }
}

TEST(Gather, EntriesOfAViewWithGapsOrNegativeStridesAreNotLeftOut) {
  const DenseTensor whole = counting(Shape{4, 3, 10}, ScalarType::f64, StorageOrder::c);
  const double* data = whole.typed<double>().data();
  const TensorView every_second(data, ScalarType::f64, Shape{4, 3, 5}, ModeIndices{30, 10, 2});
  const TensorView reversed(data + 90, ScalarType::f64, Shape{4, 3, 10}, ModeIndices{-30, 10, 1});
  const std::vector<ModeIndices> samples{{3, 2, 4}, {0, 0, 1}, {2, 1, 3}, {3, 0, 0}};
  for (const TensorView& view : {every_second, reversed}) {
    MemorySource source(view);
    const std::vector<double> found = gather_entries(source, SerialCommunicator(), samples);
    for (std::size_t c = 0; c < samples.size(); ++c) {
      EXPECT_EQ(found[c], view(std::span(samples[c].data(), 3))) << c;
    }
  }
}

TEST(Gather, RefusesIndicesThatDoNotFit) {
  const DenseTensor tensor(Shape{4, 3});
  EXPECT_THROW(gather(tensor.view(), {{0}, {3}}, ScalarType::f64, 1), InputError);
  EXPECT_THROW(gather(tensor.view(), {{-1}, {0}}, ScalarType::f64, 1), InputError);
  EXPECT_THROW(gather(tensor.view(), {{2, 1}, {0}}, ScalarType::f64, 1), InputError);
  EXPECT_THROW(gather(tensor.view(), {{0}}, ScalarType::f64, 1), InputError);
  EXPECT_THROW(gather(tensor.view(), {{0}, {0}}, ScalarType::u8, 1), InputError);
  EXPECT_THROW(gather_fibres(tensor.view(), 0, std::vector<ModeIndices>{{0, 3}}, {}, 1),
               InputError);
}

TEST(Gather, IsCountedByTheEngine) {
  const DenseTensor tensor(Shape{4, 3, 5});
  Engine engine(tensor.view(), 1);
  engine.gather({{0, 1}, {}, {2}});
  engine.gather_fibres(1, std::vector<ModeIndices>{{0, 0, 0}, {1, 0, 1}});
  EXPECT_EQ(engine.gathered_entries(), 6 + 6);
  EXPECT_DOUBLE_EQ(engine.equivalent_passes(), 12.0 / 60);
}

}  // namespace
}  // namespace sunder
