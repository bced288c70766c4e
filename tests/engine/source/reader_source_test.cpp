#include "engine/source/reader_source.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/engine.hpp"
#include "memory_reader.hpp"
#include "planted_problem.hpp"
#include "thread_communicator.hpp"

namespace sunder {
namespace {

using test::MemoryReader;

DenseTensor numbers(const Shape& shape, ScalarType type, StorageOrder order) {
  DenseTensor tensor(shape, type, order);
  Rng rng(3);
  with_scalar_type(type, [&]<class T>() {
    for (T& x : tensor.typed<T>()) x = static_cast<T>(std::abs(20 * rng.normal()));
  });
  return tensor;
}

std::shared_ptr<ReaderSource> source_of(const std::shared_ptr<MemoryReader>& reader, Index window) {
  return std::make_shared<ReaderSource>(reader, reader->layout(), window);
}

PassRequest everything(const CpModel& model, Precision precision) {
  PassRequest request{.model = &model, .rule = Rule::geman_mcclure(5)};
  request.modes = all_modes(model.order());
  request.precision = precision;
  request.data_statistics = true;
  request.histogram = true;
  request.slice_statistics = SliceDetail::full;
  request.collect_sparse = true;
  return request;
}

void expect_same_bits(const PassResult& a, const PassResult& b) {
  for (std::size_t mode = 0; mode < a.mttkrp.size(); ++mode) {
    EXPECT_TRUE((a.mttkrp[mode].array() == b.mttkrp[mode].array()).all());
    EXPECT_EQ(a.slices[mode].observed, b.slices[mode].observed);
    EXPECT_EQ(a.slices[mode].kept, b.slices[mode].kept);
    EXPECT_EQ(a.slices[mode].kept_square_sum, b.slices[mode].kept_square_sum);
  }
  EXPECT_EQ(a.statistics.kept, b.statistics.kept);
  EXPECT_EQ(a.statistics.rejected, b.statistics.rejected);
  EXPECT_EQ(a.statistics.kept_square_sum, b.statistics.kept_square_sum);
  EXPECT_EQ(a.statistics.rejected_square_sum, b.statistics.rejected_square_sum);
  EXPECT_EQ(a.statistics.weight_sum, b.statistics.weight_sum);
  EXPECT_EQ(a.statistics.cost_sum, b.statistics.cost_sum);
  EXPECT_EQ(a.statistics.data_square_sum, b.statistics.data_square_sum);
  EXPECT_EQ(a.statistics.data_max, b.statistics.data_max);
  EXPECT_EQ(a.statistics.magnitudes.quantile(0.3), b.statistics.magnitudes.quantile(0.3));
}

TEST(ReaderSource, WindowsOfAnySizeChangeNoBit) {
  for (const Shape& shape :
       {Shape{23, 31, 45}, Shape{300, 70}, Shape{4, 5, 6, 50}, Shape{3, 9000}}) {
    const CpModel model = test::random_model(shape, 3, 5);
    for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
      for (const ScalarType type : {ScalarType::f32, ScalarType::u8}) {
        const DenseTensor tensor = numbers(shape, type, order);
        PassRequest request = everything(model, Precision::f32);
        const DenseTensor mask = numbers(shape, ScalarType::u8, StorageOrder::c);
        const TensorView mask_view = mask.view();
        std::vector<std::vector<std::uint8_t>> alive;
        for (const Index extent : shape) alive.emplace_back(static_cast<std::size_t>(extent), 1);
        alive[0][1] = 0;
        if (type == ScalarType::u8) {
          request.mask = &mask_view;
          request.alive = &alive;
        }
        const PassResult whole = pass(tensor.view(), request, 2);
        ASSERT_GT(whole.sparse.count(), 0);
        for (const Index window : {Index{1}, shape.entries() / 5, shape.entries()}) {
          const auto reader = std::make_shared<MemoryReader>(tensor);
          Engine engine(source_of(reader, window), std::make_shared<SerialCommunicator>(), 2);
          const PassResult parts = engine.pass(request);
          expect_same_bits(parts, whole);
          EXPECT_TRUE(std::ranges::equal(parts.sparse.positions(), whole.sparse.positions()));
          EXPECT_TRUE(std::ranges::equal(parts.sparse.values(), whole.sparse.values()));
          if (window > 1 && shape.order() > 2) {
            EXPECT_LE(reader->largest_read, window);
            EXPECT_EQ(engine.bytes_read(), static_cast<std::int64_t>(tensor.bytes()));
          }
        }
      }
    }
  }
}

TEST(ReaderSource, SeveralProcessesGiveTheBitsOfOne) {
  for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
    for (const int ranks : {2, 3, 4, 6}) {
      // More processes than there are groups of chunks: some have nothing to do.
      const Shape shape = ranks < 6 ? Shape{20, 50, 30} : Shape{4, 50, 4};
      const CpModel model = test::random_model(shape, 4, 5);
      const DenseTensor tensor = numbers(shape, ScalarType::f64, order);
      const PassRequest request = everything(model, Precision::f64);
      const PassResult whole = pass(tensor.view(), request, 2);
      std::vector<Index> found(ranks);
      test::run_ranks(ranks, [&](std::shared_ptr<const Communicator> communicator) {
        const int rank = communicator->rank();
        const auto reader = std::make_shared<MemoryReader>(tensor);
        Engine engine(source_of(reader, 5000), communicator, 1);
        const PassResult parts = engine.pass(request);
        expect_same_bits(parts, whole);
        found[rank] = parts.sparse.count();
        const Matrix fibres =
            engine.gather_fibres(1, std::vector<ModeIndices>{{3, 0, 3}, {1, 0, 2}});
        EXPECT_EQ(fibres(20, 0), tensor.view()({3, 20, 3}));
        EXPECT_EQ(fibres(49, 1), tensor.view()({1, 49, 2}));
      });
      EXPECT_EQ(std::accumulate(found.begin(), found.end(), Index{0}), whole.sparse.count());
    }
  }
}

// More chunks than groups: sums of sums.
TEST(ReaderSource, ProcessesAndWindowsAgreeOnATensorOfManyChunks) {
  const Shape shape{410, 420, 430};
  DenseTensor tensor(shape, ScalarType::u8);
  std::uint32_t state = 1;
  for (std::uint8_t& x : tensor.typed<std::uint8_t>()) {
    state = state * 1664525 + 1013904223;
    x = static_cast<std::uint8_t>(state >> 24);
  }
  const CpModel model = test::random_model(shape, 1, 5);
  const PassRequest request{.model = &model, .modes = all_modes(3), .precision = Precision::f32};
  const PassResult whole = pass(tensor.view(), request, 2);
  for (const int ranks : {1, 3}) {
    test::run_ranks(ranks, [&](std::shared_ptr<const Communicator> communicator) {
      const auto reader = std::make_shared<MemoryReader>(tensor);
      Engine engine(source_of(reader, 3'000'000), communicator, 1);
      const PassResult parts = engine.pass(request);
      for (std::size_t mode = 0; mode < 3; ++mode) {
        EXPECT_TRUE((parts.mttkrp[mode].array() == whole.mttkrp[mode].array()).all());
      }
      EXPECT_EQ(parts.statistics.kept_square_sum, whole.statistics.kept_square_sum);
      EXPECT_LE(reader->largest_read, 3'000'000);
      // The cost model of docs/scaling.md: 64 groups of ten numbers and r (n2 + n3) sums, and the r
      // n1 sums of the slowest mode, of which two groups may share a row.
      const std::int64_t words =
          dynamic_cast<const test::ThreadCommunicator&>(*communicator).words();
      const std::int64_t least = 64 * (10 + 420 + 430) + 410;
      EXPECT_TRUE(ranks == 1 ? words == 0 : words >= least && words <= least + 64) << words;
    });
  }
}

TEST(ReaderSource, GathersWhatMemoryGathers) {
  const Shape shape{9, 8, 7};
  const std::vector<std::vector<Index>> indices{{0, 3, 8}, {}, {1, 2, 6}};
  const std::vector<ModeIndices> samples{{8, 2, 6}, {0, 7, 1}, {0, 7, 1}, {5, 0, 3}};
  for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
    const DenseTensor tensor = numbers(shape, ScalarType::i16, order);
    Engine memory(tensor.view(), 1);
    const auto reader = std::make_shared<MemoryReader>(tensor);
    Engine file(source_of(reader, 10), std::make_shared<SerialCommunicator>(), 1);
    for (const ScalarType type : {ScalarType::f64, ScalarType::f32}) {
      const DenseTensor a = memory.gather(indices, type);
      const DenseTensor b = file.gather(indices, type);
      ASSERT_EQ(a.bytes(), b.bytes());
      EXPECT_EQ(std::memcmp(a.data(), b.data(), a.bytes()), 0);
    }
    for (int mode = 0; mode < 3; ++mode) {
      const std::vector<Index> rows{1, 4, 5};
      EXPECT_EQ(memory.gather_fibres(mode, samples), file.gather_fibres(mode, samples));
      EXPECT_EQ(memory.gather_fibres(mode, samples, rows), file.gather_fibres(mode, samples, rows));
    }
    EXPECT_EQ(memory.gather_entries(samples), file.gather_entries(samples));
    EXPECT_EQ(memory.gathered_entries(), file.gathered_entries());
    EXPECT_EQ(file.gather_entries(samples)[3], tensor.view()({5, 0, 3}));
    EXPECT_TRUE(reader->ascending);
    EXPECT_THROW(file.gather_entries(std::vector<ModeIndices>{{9, 0, 0}}), InputError);
    EXPECT_THROW(file.gather({{0, 9}, {}, {}}), InputError);
  }
}

TEST(ReaderSource, GroupedModesAreReadAsTheyLie) {
  const DenseTensor tensor = numbers(Shape{6, 50, 40}, ScalarType::f32, StorageOrder::c);
  const TensorView grouped = tensor.view().grouped(std::vector<int>{0, 1});
  const CpModel model = test::random_model(grouped.shape(), 2, 5);
  const PassRequest request = everything(model, Precision::f32);
  const auto reader = std::make_shared<MemoryReader>(tensor);
  ReaderSource source(reader, reader->layout().grouped(std::vector<int>{0, 1}), 3000);
  expect_same_bits(pass(source, request, 2), pass(grouped, request, 2));
}

TEST(ReaderSource, AFileThatBreaksIsReportedByEveryProcess) {
  const DenseTensor tensor = numbers(Shape{40, 50, 60}, ScalarType::f32, StorageOrder::c);
  const CpModel model = test::random_model(tensor.shape(), 2, 5);
  for (const int ranks : {1, 3}) {
    test::run_ranks(ranks, [&](std::shared_ptr<const Communicator> communicator) {
      const auto reader = std::make_shared<MemoryReader>(tensor, 100'000);
      Engine engine(source_of(reader, 9000), communicator, 2);
      EXPECT_THROW(engine.pass({.model = &model}), InputError);
      EXPECT_THROW(engine.gather_entries(std::vector<ModeIndices>{{0, 0, 0}, {39, 0, 0}}),
                   InputError);
    });
  }
}

TEST(ReaderSource, APassCanBeCancelledAndAnotherBegun) {
  const DenseTensor tensor = numbers(Shape{40, 50, 60}, ScalarType::f32, StorageOrder::c);
  const CpModel model = test::random_model(tensor.shape(), 2, 5);
  const auto reader = std::make_shared<MemoryReader>(tensor);
  bool wanted = false;
  Engine engine(source_of(reader, 9000), std::make_shared<SerialCommunicator>(), 1,
                [&] { return wanted ? Continue::yes : Continue::cancel; });
  EXPECT_THROW(engine.pass({.model = &model}), Cancelled);
  wanted = true;
  EXPECT_EQ(engine.pass({.model = &model}).statistics.kept_square_sum,
            pass(tensor.view(), {.model = &model}, 1).statistics.kept_square_sum);
}

}  // namespace
}  // namespace sunder
