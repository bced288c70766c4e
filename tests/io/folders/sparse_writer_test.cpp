#include "sunder/io/sparse_writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "io/temporary_folder.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/rng.hpp"
#include "sunder/io/result_folder.hpp"

namespace sunder {
namespace {

using namespace testing;

SparseTensor some_entries(const Shape& shape, double share, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Index> positions;
  std::vector<double> values;
  for (Index p = 0; p < shape.entries(); ++p) {
    if (!rng.bernoulli(share)) continue;
    positions.push_back(p);
    values.push_back(rng.normal());
  }
  return {shape, positions, values};
}

/// In batches, as a pass gives them; `by` says in what order.
void feed(SparseReceiver& receiver, const SparseTensor& sparse,
          const std::vector<std::size_t>& by) {
  std::vector<Index> positions;
  std::vector<double> values;
  for (const std::size_t k : by) {
    positions.push_back(sparse.positions()[k]);
    values.push_back(sparse.values()[k]);
    if (positions.size() < 777 && k != by.back()) continue;
    receiver.add(positions, values);
    positions.clear();
    values.clear();
  }
  if (!positions.empty()) receiver.add(positions, values);
}

std::vector<std::size_t> in_order(const SparseTensor& sparse) {
  std::vector<std::size_t> by(sparse.count());
  std::iota(by.begin(), by.end(), std::size_t{0});
  return by;
}

/// As a tensor in Fortran order is walked: the last mode outside.
std::vector<std::size_t> last_mode_first(const SparseTensor& sparse) {
  std::vector<std::size_t> by = in_order(sparse);
  std::vector<ModeIndices> reversed;
  for (Index k = 0; k < sparse.count(); ++k) {
    ModeIndices index = sparse.coordinates(k);
    std::reverse(index.begin(), index.begin() + sparse.shape().order());
    reversed.push_back(index);
  }
  std::sort(by.begin(), by.end(),
            [&](std::size_t a, std::size_t b) { return reversed[a] < reversed[b]; });
  return by;
}

void expect_same_files(const std::filesystem::path& folder, const SparseTensor& sparse) {
  const TemporaryFolder expected;
  write_low_rank_plus_sparse(expected.path(), CpModel::zero(sparse.shape()), sparse);
  for (const char* name : {"sparse_coords.npy", "sparse_values.npy"}) {
    EXPECT_EQ(read_bytes(folder / name), read_bytes(expected / name)) << name;
  }
}

TEST(SparseWriter, WritesTheBytesOfAResultFolderInWhateverOrderTheyCome) {
  const SparseTensor sparse = some_entries(Shape{40, 30, 20}, 0.2, 1);
  for (const bool sorted : {true, false}) {
    const TemporaryFolder folder;
    SparseWriter writer(folder.path());
    // A first try that is given up leaves nothing behind.
    writer.begin(sparse.shape(), sorted);
    writer.add(sparse.positions().first(5), sparse.values().first(5));
    writer.begin(sparse.shape(), sorted);
    feed(writer, sparse, sorted ? in_order(sparse) : last_mode_first(sparse));
    writer.finish(sparse.shape());
    expect_same_files(folder.path(), sparse);
    EXPECT_EQ(names_in(folder.path()),
              (std::vector<std::string>{"sparse_coords.npy", "sparse_values.npy"}));
    EXPECT_EQ(writer.count(), sparse.count());
    EXPECT_NEAR(writer.norm(), sparse.norm(), 1e-12 * sparse.norm());
  }
}

TEST(SparseWriter, MergesWhatDoesNotFitInOneRun) {
  const SparseTensor sparse = some_entries(Shape{200, 170, 140}, 0.95, 2);
  ASSERT_GT(sparse.count(), Index{2} << 21);
  const TemporaryFolder folder;
  SparseWriter writer(folder.path());
  writer.begin(sparse.shape(), false);
  feed(writer, sparse, last_mode_first(sparse));
  writer.finish(sparse.shape());
  expect_same_files(folder.path(), sparse);
}

TEST(SparseWriter, WritesAnEmptyS) {
  const TemporaryFolder folder;
  SparseWriter never(folder.path());
  never.finish(Shape{4, 5});
  expect_same_files(folder.path(), SparseTensor(Shape{4, 5}));
  SparseWriter unsorted(folder.path());
  unsorted.begin(Shape{4, 5}, false);
  unsorted.finish(Shape{4, 5});
  expect_same_files(folder.path(), SparseTensor(Shape{4, 5}));
}

TEST(SupportCounter, AgreesWithTheComparisonInMemory) {
  const Shape shape{60, 50, 40};
  const SparseTensor truth = some_entries(shape, 0.6, 3);
  const SparseTensor found = some_entries(shape, 0.3, 4);
  const SupportScore expected = compare_support(found, truth);
  const TemporaryFolder folder;
  write_low_rank_plus_sparse(folder.path(), CpModel::zero(shape), truth);
  SupportCounter counter(folder.path(), shape);
  for (int again = 0; again < 2; ++again) {
    counter.begin(shape, true);
    feed(counter, found, in_order(found));
    EXPECT_TRUE(counter.known());
    EXPECT_EQ(counter.score().precision, expected.precision);
    EXPECT_EQ(counter.score().recall, expected.recall);
  }
  // Behind a writer it gets the entries sorted.
  const TemporaryFolder result;
  SparseWriter writer(result.path(), &counter);
  writer.begin(shape, false);
  feed(writer, found, last_mode_first(found));
  writer.finish(shape);
  EXPECT_EQ(counter.score().recall, expected.recall);
  counter.begin(shape, false);
  EXPECT_FALSE(counter.known());
}

}  // namespace
}  // namespace sunder
