#include "job/memory_plan.hpp"

#include <gtest/gtest.h>

#include "io/expect_error.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using testing::expect_error;

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
constexpr std::int64_t gibibyte = std::int64_t{1} << 30;

/// A tensor that is only described.
class DescribedEntries final : public EntryReader {
 public:
  DescribedEntries(const Shape& shape, ScalarType type) : shape_(shape), type_(type) {}
  TensorView layout() const override { return {nullptr, type_, shape_}; }
  void read(Index, Index, void*) override {}
  void read_at(std::span<const Index>, std::span<double>) override {}
  std::int64_t bytes_read() const override { return 0; }

 private:
  Shape shape_;
  ScalarType type_;
};

class Described final : public TensorFile {
 public:
  Described(const Shape& shape, ScalarType type) : shape_(shape), type_(type) {}
  std::string format() const override { return "described"; }
  Shape shape() const override { return shape_; }
  ScalarType type() const override { return type_; }
  StorageOrder storage_order() const override { return StorageOrder::c; }
  LoadedTensor load() const override { return {}; }
  std::unique_ptr<EntryReader> reader() const override {
    return std::make_unique<DescribedEntries>(shape_, type_);
  }
  void scan(const std::function<Continue(const TensorView&)>&) const override {}

 private:
  Shape shape_;
  ScalarType type_;
};

TEST(ParseBytes, TakesSuffixes) {
  EXPECT_EQ(parse_bytes("memory", "1000"), 1000);
  EXPECT_EQ(parse_bytes("memory", "4K"), 4096);
  EXPECT_EQ(parse_bytes("memory", "512M"), 512 * mebibyte);
  EXPECT_EQ(parse_bytes("memory", "1.5G"), 3 * gibibyte / 2);
  for (const char* wrong : {"", "G", "2X", "2GB", "-1G", "0", "1e30", "nan", "two"}) {
    expect_error<OptionError>([&] { parse_bytes("memory", wrong); }, {"`memory`", "512M"});
  }
}

TEST(PlanMemory, StreamsOnlyWhatDoesNotFit) {
  const Described file({1000, 1000, 1500}, ScalarType::f32);
  const auto robust = make_method("robust-cp");
  const auto plan = [&](std::int64_t budget) {
    return plan_memory(file, *robust,
                       {.rank = 5, .threads = 2, .lists_sparse = true, .budget = budget});
  };
  const MemoryPlan ample = plan(64 * gibibyte);
  EXPECT_FALSE(ample.streamed);
  EXPECT_GT(ample.memory, Index{6} * 1000 * 1000 * 1000);
  const MemoryPlan tight = plan(gibibyte);
  EXPECT_TRUE(tight.streamed);
  EXPECT_LT(tight.memory, gibibyte);
  EXPECT_EQ(tight.memory + tight.core_memory, gibibyte);
  EXPECT_GE(tight.bytes_to_read, Index{6} * 1000 * 1000 * 1000);
  EXPECT_GE(tight.window_entries, Index{1} << 20);
  expect_error<InputError>([&] { plan(100 * mebibyte); }, {"100 MiB", "`memory`"});
}

TEST(PlanMemory, RefusesMethodsThatNeedTheWholeTensor) {
  const Described file({1000, 1000, 1500}, ScalarType::f32);
  const auto method = make_method("pcp-flat");
  expect_error<InputError>([&] { plan_memory(file, *method, {.rank = 5, .budget = gibibyte}); },
                           {"pcp-flat", "5.6 GiB", "1.0 GiB", "`memory`", "robust-cp"});
  EXPECT_FALSE(plan_memory(file, *method, {.rank = 5, .budget = 6 * gibibyte}).streamed);
}

TEST(PlanMemory, AMethodThatReadsByPassesNeedsLess) {
  const Described file({800, 800, 800}, ScalarType::f32);
  const MemoryQuestion question{.rank = 5, .threads = 2, .budget = 200 * mebibyte};
  expect_error<InputError>([&] { plan_memory(file, *make_method("robust-cp"), question); },
                           {"200 MiB", "`memory`"});
  const MemoryPlan plan = plan_memory(file, *make_method("rtd-als"), question);
  EXPECT_TRUE(plan.streamed);
  EXPECT_LT(plan.memory, 200 * mebibyte);
  EXPECT_EQ(plan.bytes_to_read, Index{4} * 800 * 800 * 800);
  EXPECT_EQ(plan.passes, 0);
  EXPECT_NE(plan.in_words().find("1.9 GiB to read in each pass"), std::string::npos);
}

TEST(PlanMemory, RefusesSeveralProcessesWhereTheMethodIsForOne) {
  const Described file({100, 100, 100}, ScalarType::f32);
  const MemoryQuestion question{.rank = 5, .budget = gibibyte, .in_parts = true};
  expect_error<InputError>([&] { plan_memory(file, *make_method("pcp-flat"), question); },
                           {"pcp-flat runs in one process"});
}

TEST(PlanMemory, NamesTheRankWhereTheFactorsAreTooLarge) {
  const Described file({4'000'000, 1000}, ScalarType::f32);
  const auto robust = make_method("robust-cp");
  expect_error<InputError>(
      [&] { plan_memory(file, *robust, {.rank = 50, .budget = 2 * gibibyte}); },
      {"`rank`", "`memory`"});
}

}  // namespace
}  // namespace sunder
