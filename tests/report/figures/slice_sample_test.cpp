#include "report/figures/slice_sample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "report/sample_run.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using testing::smooth_model;
using testing::strided_sparse;

/// T = L + S, with an entry missing in the middle.
DenseTensor sum_of(const CpModel& low_rank, const SparseTensor& sparse) {
  const Shape shape = low_rank.shape();
  DenseTensor tensor(shape);
  const std::span<double> entries = tensor.typed<double>();
  for (Index p = 0; p < shape.entries(); ++p) {
    entries[p] = low_rank.entry(shape.unravel(p));
  }
  for (Index k = 0; k < sparse.count(); ++k) {
    const auto position = static_cast<std::size_t>(sparse.positions()[static_cast<std::size_t>(k)]);
    entries[position] += sparse.values()[k];
  }
  entries[shape.entries() / 2] = std::numeric_limits<double>::quiet_NaN();
  return tensor;
}

std::map<Index, double> entries_of(const SparseTensor& sparse) {
  std::map<Index, double> entries;
  for (std::size_t k = 0; k < sparse.values().size(); ++k) {
    entries[sparse.positions()[k]] = sparse.values()[k];
  }
  return entries;
}

/// Every sampled number against the entry it claims to be.
void expect_true_entries(const SlicesOfMode& slices, const DenseTensor& tensor,
                         const CpModel& low_rank, const std::map<Index, double>& sparse) {
  std::size_t at = 0;
  for (const Index frame : slices.frames) {
    for (const Index row : slices.rows) {
      for (const Index column : slices.columns) {
        ModeIndices index = slices.fixed;
        if (slices.frame_mode >= 0) index[slices.frame_mode] = frame;
        index[slices.row_mode] = row;
        index[slices.column_mode] = column;
        const double data = tensor.view()(index);
        ASSERT_NEAR(slices.low_rank[at], low_rank.entry(index), 1e-5);
        if (std::isnan(data)) {
          ASSERT_TRUE(std::isnan(slices.data[at]) && std::isnan(slices.sparse[at]));
        } else {
          const auto found = sparse.find(tensor.shape().linear(index));
          ASSERT_NEAR(slices.data[at], data, 1e-5);
          ASSERT_NEAR(slices.sparse[at], found == sparse.end() ? 0 : found->second, 1e-5);
        }
        ++at;
      }
    }
  }
  EXPECT_EQ(at, slices.data.size());
}

void expect_sound_sample(const Shape& shape, const SliceLimits& limits, std::size_t cuts) {
  const CpModel low_rank = smooth_model(shape, 3);
  const SparseTensor sparse = strided_sparse(shape, 7);
  const DenseTensor tensor = sum_of(low_rank, sparse);
  const SliceSample sample = sample_slices(tensor.view(), low_rank, sparse, limits);
  ASSERT_EQ(sample.modes.size(), cuts);
  const std::map<Index, double> entries = entries_of(sparse);
  Index taken = 0;
  for (const SlicesOfMode& slices : sample.modes) {
    expect_true_entries(slices, tensor, low_rank, entries);
    EXPECT_LE(std::ssize(slices.rows), limits.side);
    EXPECT_LE(std::ssize(slices.columns), limits.side);
    EXPECT_LT(slices.row_mode, slices.column_mode);
    taken += std::ssize(slices.data);
  }
  EXPECT_LE(taken, std::max(limits.entries, static_cast<Index>(cuts) * limits.side * limits.side));
  EXPECT_LE(sample.residuals.entries(), taken);
}

TEST(SliceSample, AllOfASmallTensor) {
  expect_sound_sample({13, 11, 9}, {}, 3);
  const CpModel model = smooth_model({13, 11, 9}, 2);
  const SparseTensor none(model.shape());
  const DenseTensor tensor = sum_of(model, none);
  const SliceSample sample = sample_slices(tensor.view(), model, none);
  for (const SlicesOfMode& slices : sample.modes) {
    EXPECT_EQ(slices.data.size(), static_cast<std::size_t>(13 * 11 * 9));
  }
  EXPECT_EQ(sample.residuals.entries(), 3 * (13 * 11 * 9 - 1));
}

TEST(SliceSample, ThinnedInEveryDirection) { expect_sound_sample({50, 41, 37}, {10, 500}, 3); }

TEST(SliceSample, AMatrixIsOneSlice) { expect_sound_sample({120, 70}, {}, 1); }

TEST(SliceSample, FurtherModesAreHeldAtTheirMiddle) {
  expect_sound_sample({6, 3, 7, 5, 2}, {}, 5);
  const CpModel model = smooth_model({6, 3, 7, 5, 2}, 1);
  const SparseTensor none(model.shape());
  const DenseTensor tensor = sum_of(model, none);
  const SlicesOfMode slices = sample_slices(tensor.view(), model, none).modes[0];
  EXPECT_EQ(slices.row_mode, 2);  // the longest two besides mode 0
  EXPECT_EQ(slices.column_mode, 3);
  EXPECT_EQ(slices.fixed[1], 1);
  EXPECT_EQ(slices.fixed[4], 1);
}

TEST(SliceSample, ModesOfLengthOne) { expect_sound_sample({1, 30, 1}, {}, 3); }

TEST(SliceSample, RankZero) {
  const CpModel zero = CpModel::zero({5, 4, 3});
  const DenseTensor tensor(Shape{5, 4, 3});
  const SliceSample sample = sample_slices(tensor.view(), zero, SparseTensor(Shape{5, 4, 3}));
  EXPECT_EQ(sample.residuals.zeros(), 3 * 60);
}

TEST(SliceSample, TheWrongTensorIsRefused) {
  const DenseTensor tensor(Shape{5, 4, 2});
  EXPECT_THROW(sample_slices(tensor.view(), CpModel::zero({5, 4, 3}), SparseTensor({5, 4, 3})),
               InputError);
}

}  // namespace
}  // namespace sunder
