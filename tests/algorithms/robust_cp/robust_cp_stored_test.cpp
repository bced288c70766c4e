#include <gtest/gtest.h>

#include "algorithms/robust_cp/recipes.hpp"
#include "algorithms/same_decomposition.hpp"
#include "io/expect_error.hpp"
#include "memory_reader.hpp"
#include "planted_problem.hpp"
#include "sparse_collector.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "thread_communicator.hpp"

namespace sunder {
namespace {

using test::Collector;
using test::expect_same_answer;
using test::MemoryReader;
using test::turned;

struct StoredProblem {
  const char* name;
  Shape shape;
  int rank;
  double noise;
  double missing;
  ScalarType type;
};

// Exact, noisy (which samples single entries and polishes), of order two (which draws fibres to
// look at directions), rank to be chosen.
const std::vector<StoredProblem> stored_problems = {
    {"exact", {70, 60, 50}, 3, 0, 0, ScalarType::f32},
    {"noisy", {60, 50, 40}, 2, 0.02, 0.1, ScalarType::f64},
    {"matrix", {150, 130}, 2, 0, 0, ScalarType::f64},
    {"rank", {50, 45, 40}, 2, 0, 0, ScalarType::f64}};

TEST(RobustCpStored, GivesTheBitsOfATensorInMemory) {
  for (const StoredProblem& problem : stored_problems) {
    SCOPED_TRACE(problem.name);
    PlantedOptions options;
    options.shape = problem.shape;
    options.rank = problem.rank;
    options.noise = problem.noise;
    options.missing = problem.missing;
    options.type = problem.type;
    options.seed = 11;
    const PlantedTensor planted = generate_planted(options);
    const DenseTensor fortran = turned(planted.tensor);
    for (const DenseTensor* tensor : {&planted.tensor, &fortran}) {
      RunOptions run;
      run.rank = std::string_view(problem.name) == "rank" ? 0 : problem.rank;
      run.threads = 2;
      const Decomposition memory = robust_cp(tensor->view(), run, {});
      EXPECT_LT(memory.low_rank.distance(planted.low_rank), 0.1 * planted.low_rank.norm());
      EXPECT_EQ(memory.bytes_read, 0);
      const auto reader = std::make_shared<MemoryReader>(*tensor);
      const StoredTensor stored{reader, reader->layout(), planted.tensor.entries() / 7};
      const Decomposition file = robust_cp(stored, run, {});
      expect_same_answer(file, memory);
      EXPECT_EQ(file.sparse_norm, memory.sparse_norm);
      EXPECT_TRUE(std::ranges::equal(file.sparse.positions(), memory.sparse.positions()));
      EXPECT_EQ(file.bytes_read, reader->bytes_read());
      // A window holds at least one chunk, and a tensor as small as the matrix is one.
      const bool one_chunk = problem.shape.order() == 2;
      EXPECT_TRUE(one_chunk || reader->largest_read <= stored.window_entries);
      EXPECT_TRUE(reader->ascending);
    }
  }
}

/// The search gathers a window, which is all of such a tensor, and makes further passes.
TEST(RobustCpStored, ASearchGivesTheBitsOfATensorInMemory) {
  const test::Recipe recipe = test::recipe_b(1, 40, 12);
  RunOptions run = test::of_rank(3);
  const Decomposition memory = robust_cp(recipe.tensor.view(), run, {});
  EXPECT_EQ(memory.certificate.level, Certified::exact) << memory.certificate.explanation;
  EXPECT_LT(recipe.error(memory.low_rank), 1e-10);
  const auto reader = std::make_shared<MemoryReader>(recipe.tensor);
  const Decomposition file = robust_cp(StoredTensor{reader, reader->layout(), 9000}, run, {});
  expect_same_answer(file, memory);
  EXPECT_EQ(file.certificate.explanation, memory.certificate.explanation);
  run.collect_sparse = false;
  const Decomposition alone = robust_cp(recipe.tensor.view(), run, {});
  test::run_ranks(2, [&](std::shared_ptr<const Communicator> communicator) {
    RunOptions together = run;
    together.communicator = communicator;
    const auto own = std::make_shared<MemoryReader>(recipe.tensor);
    expect_same_answer(robust_cp(StoredTensor{own, own->layout(), 9000}, together, {}), alone);
  });
}

TEST(RobustCpStored, HandsSToAReceiver) {
  const PlantedTensor planted = generate_planted(test::small_problem(2));
  for (const bool c : {true, false}) {
    const DenseTensor fortran = turned(planted.tensor);
    const DenseTensor& tensor = c ? planted.tensor : fortran;
    RunOptions run;
    run.rank = 3;
    const Decomposition memory = robust_cp(tensor.view(), run, {});
    ASSERT_GT(memory.sparse.count(), 0);
    Collector collector;
    run.sparse_receiver = &collector;
    const auto reader = std::make_shared<MemoryReader>(tensor);
    const Decomposition file = robust_cp(StoredTensor{reader, reader->layout(), 4000}, run, {});
    EXPECT_EQ(file.sparse.count(), 0);
    EXPECT_EQ(file.sparse_count, memory.sparse_count);
    EXPECT_NEAR(file.sparse_norm, memory.sparse_norm, 1e-6 * memory.sparse_norm);
    EXPECT_EQ(collector.promised, c);
    EXPECT_EQ(std::ranges::is_sorted(collector.positions), c);
    const SparseTensor found(tensor.shape(), collector.positions, collector.values);
    EXPECT_TRUE(std::ranges::equal(found.positions(), memory.sparse.positions()));
    EXPECT_TRUE(std::ranges::equal(found.values(), memory.sparse.values()));
  }
}

TEST(RobustCpStored, SeveralProcessesGiveTheBitsOfOne) {
  PlantedOptions options;
  options.shape = Shape{64, 60, 50};
  options.rank = 3;
  options.noise = 0.01;
  options.seed = 5;
  const PlantedTensor planted = generate_planted(options);
  RunOptions run;
  run.rank = 3;
  run.threads = 1;
  run.collect_sparse = false;
  const Decomposition alone = robust_cp(planted.tensor.view(), run, {});
  for (const int ranks : {2, 3}) {
    test::run_ranks(ranks, [&](std::shared_ptr<const Communicator> communicator) {
      RunOptions together = run;
      together.communicator = communicator;
      const auto reader = std::make_shared<MemoryReader>(planted.tensor);
      const Decomposition one =
          robust_cp(StoredTensor{reader, reader->layout(), 20'000}, together, {});
      expect_same_answer(one, alone);
      // Nobody reads it all: passes and samples are shared.
      EXPECT_GT(one.bytes_read, reader->bytes_read());
      EXPECT_LT(static_cast<double>(reader->bytes_read()),
                0.7 * static_cast<double>(alone.passes * planted.tensor.entries() * 8 +
                                          alone.entries_sampled * 8));
    });
  }
}

TEST(RobustCpStored, RefusesACoreThatDoesNotFit) {
  const PlantedTensor planted = generate_planted(test::small_problem(2));
  const auto reader = std::make_shared<MemoryReader>(planted.tensor);
  RunOptions run;
  run.rank = 0;
  run.memory = 10'000;
  testing::expect_error<InputError>(
      [&] {
        robust_cp(StoredTensor{reader, reader->layout(), 4000}, run, {});
      },
      {"core", "`memory`", "`core`"});
}

}  // namespace
}  // namespace sunder
