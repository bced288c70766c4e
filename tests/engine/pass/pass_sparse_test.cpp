#include <gtest/gtest.h>

#include <algorithm>

#include "engine/pass/pass.hpp"
#include "engine/pass/pass_definition.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using namespace test;

/// What a sink was given, and whether in order.
struct Sunk {
  std::vector<Index> positions;
  std::vector<double> values;

  SparseSink sink() {
    return [this](std::span<const Index> where, std::span<const double> what) {
      EXPECT_FALSE(where.empty());
      positions.insert(positions.end(), where.begin(), where.end());
      values.insert(values.end(), what.begin(), what.end());
    };
  }
};

TEST(Pass, HandsTheSparsePartToASinkInOrder) {
  for (const Shape& shape : {Shape{40, 50, 60}, Shape{7, 1500}, Shape{30, 3000}}) {
    for (const Precision precision : both_precisions) {
      const DenseTensor tensor = numbers(shape, ScalarType::f64, StorageOrder::c);
      const CpModel model = test::random_model(shape, 3, 3);
      PassRequest request{.model = &model, .rule = threshold, .precision = precision};
      request.collect_sparse = true;
      const SparseTensor expected = pass(tensor.view(), request, 1).sparse;
      ASSERT_GT(expected.count(), 100);
      ASSERT_TRUE(finds_in_order(tensor.view()));
      for (const int threads : {1, 2, 3}) {
        Sunk sunk;
        request.collect_sparse = false;
        request.sparse_sink = sunk.sink();
        EXPECT_EQ(pass(tensor.view(), request, threads).sparse.count(), 0);
        EXPECT_TRUE(std::equal(sunk.positions.begin(), sunk.positions.end(),
                               expected.positions().begin(), expected.positions().end()));
        EXPECT_TRUE(std::equal(sunk.values.begin(), sunk.values.end(), expected.values().begin(),
                               expected.values().end()));
      }
    }
  }
}

TEST(Pass, SaysWhenASinkGetsAnotherOrder) {
  const DenseTensor tensor = numbers(Shape{4, 5, 6}, ScalarType::f64, StorageOrder::fortran);
  EXPECT_FALSE(finds_in_order(tensor.view()));
  const CpModel model = CpModel::zero(tensor.shape());
  Sunk sunk;
  PassRequest request{.model = &model, .rule = threshold};
  request.sparse_sink = sunk.sink();
  pass(tensor.view(), request, 2);
  request.sparse_sink = {};
  request.collect_sparse = true;
  const SparseTensor expected = pass(tensor.view(), request, 1).sparse;
  EXPECT_FALSE(std::is_sorted(sunk.positions.begin(), sunk.positions.end()));
  std::sort(sunk.positions.begin(), sunk.positions.end());
  EXPECT_TRUE(std::equal(sunk.positions.begin(), sunk.positions.end(), expected.positions().begin(),
                         expected.positions().end()));
}

TEST(Pass, LetsTheErrorOfASinkThrough) {
  const DenseTensor tensor = numbers(Shape{60, 60, 60}, ScalarType::f64, StorageOrder::c);
  const CpModel model = CpModel::zero(tensor.shape());
  PassRequest request{.model = &model, .rule = threshold};
  request.sparse_sink = [](auto, auto) { throw InputError("full"); };
  for (const int threads : {1, 3}) EXPECT_THROW(pass(tensor.view(), request, threads), InputError);
}

TEST(Pass, DoesNotPutZerosIntoTheSparsePart) {
  const DenseTensor tensor(Shape{3, 3});
  const CpModel model = CpModel::zero(tensor.shape());
  const PassRequest request{
      .model = &model, .rule = Rule::hard_threshold(0), .collect_sparse = true};
  EXPECT_EQ(pass(tensor.view(), request, 1).sparse.count(), 0);
}

}  // namespace
}  // namespace sunder
