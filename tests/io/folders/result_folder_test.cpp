#include "sunder/io/result_folder.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "io/expect_error.hpp"
#include "io/other_programs.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/npy.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using testing::expect_error;
using testing::TemporaryFolder;

CpModel model(int rank) {
  return {Vector(Vector::LinSpaced(rank, 1, 2)),
          {Matrix(Matrix::Random(4, rank)), Matrix(Matrix::Random(5, rank)),
           Matrix(Matrix::Random(6, rank))}};
}

SparseTensor sparse() { return {Shape{4, 5, 6}, {0, 7, 119}, {1.5, -2.5, 3.5}}; }

void write_valid(const TemporaryFolder& folder) {
  write_low_rank_plus_sparse(folder.path(), model(2), sparse());
}

void expect_refusal(const TemporaryFolder& folder, const std::vector<std::string>& says) {
  expect_error<InputError>([&] { read_low_rank_plus_sparse(folder.path()); }, says);
}

TEST(ResultFolder, RoundTrip) {
  for (const int rank : {0, 1, 3}) {
    const TemporaryFolder folder;
    const CpModel low_rank = model(rank);
    write_low_rank_plus_sparse(folder.path(), low_rank, sparse());
    const LowRankPlusSparse read = read_low_rank_plus_sparse(folder.path());
    EXPECT_EQ(read.low_rank.weights(), low_rank.weights());
    EXPECT_EQ(read.low_rank.factors(), low_rank.factors());
    EXPECT_EQ(read.sparse.shape(), (Shape{4, 5, 6}));
    EXPECT_TRUE(std::ranges::equal(read.sparse.positions(), sparse().positions()));
    EXPECT_TRUE(std::ranges::equal(read.sparse.values(), sparse().values()));
  }
}

TEST(ResultFolder, NothingSparse) {
  const TemporaryFolder folder;
  write_low_rank_plus_sparse(folder.path(), model(2), SparseTensor(Shape{4, 5, 6}));
  EXPECT_EQ(read_low_rank_plus_sparse(folder.path()).sparse.count(), 0);
}

TEST(ResultFolder, MoreCoordinatesThanTheBufferHolds) {
  const TemporaryFolder folder;
  const Shape shape{50, 40, 30};
  std::vector<Index> positions(60000);
  std::iota(positions.begin(), positions.end(), Index{0});
  const SparseTensor full(shape, positions, std::vector<double>(60000, 1.0));
  write_low_rank_plus_sparse(folder.path(), CpModel::zero(shape), full);
  const LowRankPlusSparse read = read_low_rank_plus_sparse(folder.path());
  EXPECT_TRUE(std::ranges::equal(read.sparse.positions(), positions));
}

TEST(ResultFolder, NamesEndWithTheMarkerAndCoverWhatIsWritten) {
  const TemporaryFolder folder;
  EXPECT_EQ(result_file_names().back(), "summary.json");
  write_valid(folder);
  EXPECT_EQ(testing::names_in(folder.path()),
            (std::vector<std::string>{"factors_0.npy", "factors_1.npy", "factors_2.npy",
                                      "sparse_coords.npy", "sparse_values.npy", "weights.npy"}));
}

TEST(ResultFolder, EveryMissingFileIsNamed) {
  for (const std::string name : {"factors_0.npy", "factors_1.npy", "weights.npy",
                                 "sparse_coords.npy", "sparse_values.npy"}) {
    const TemporaryFolder folder;
    write_valid(folder);
    fs::remove(folder / name);
    expect_refusal(folder, {name, "no such file"});
  }
  const TemporaryFolder folder;
  write_low_rank_plus_sparse(folder.path(), CpModel::zero({2, 2, 2, 2}),
                             SparseTensor({2, 2, 2, 2}));
  fs::remove(folder / "factors_2.npy");
  expect_refusal(folder, {"factors_2.npy", "missing", "factors_3.npy"});
  expect_error<InputError>([&] { read_low_rank_plus_sparse(folder / "no"); }, {"no", "a folder"});
}

TEST(ResultFolder, PartsThatDoNotFitAreNamed) {
  const TemporaryFolder folder;
  const auto with = [&](const std::string& name, const auto& content,
                        const std::vector<std::string>& says) {
    write_valid(folder);
    write_npy(folder / name, content);
    expect_refusal(folder, says);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  with("weights.npy", Vector(Vector::Ones(3)), {"factors_0.npy", "2 columns", "3 entries"});
  with("factors_1.npy", Matrix(Matrix::Ones(5, 4)), {"factors_1.npy", "4 columns"});
  with("factors_1.npy", Vector(Vector::Ones(5)), {"factors_1.npy", "matrix"});
  with("factors_2.npy", Matrix(Matrix::Constant(6, 2, nan)), {"factors_2.npy", "finite"});
  with("weights.npy", Vector(Vector::Constant(2, infinity)), {"weights.npy", "finite"});
  with("sparse_values.npy", Vector(Vector::Ones(4)), {"sparse_values.npy", "4 values", "3 rows"});
  with("sparse_values.npy", Vector(Vector::Constant(3, nan)), {"sparse_values.npy", "finite"});
  with("sparse_coords.npy", Matrix(Matrix::Zero(3, 3)), {"sparse_coords.npy", "<i8", "<f8"});
}

TEST(ResultFolder, CoordinatesAreChecked) {
  const TemporaryFolder folder;
  const auto with = [&](const std::vector<Index>& coordinates, Index columns,
                        const std::vector<std::string>& says) {
    write_valid(folder);
    write_npy(folder / "sparse_coords.npy", coordinates, columns);
    expect_refusal(folder, says);
  };
  with({0, 0, 0, 1, 5, 0, 2, 0, 0}, 3, {"sparse_coords.npy", "coordinate 1 of row 1 is 5"});
  with({0, 0, 0, 1, 0, -1, 2, 0, 0}, 3, {"coordinate 2 of row 1 is -1"});
  with({0, 0, 0, 1, 1, 1, 0, 0, 0}, 3, {"sparse_coords.npy", "twice"});
  with({0, 0, 1, 1, 2, 2}, 2, {"sparse_coords.npy", "count x 3", "3 x 2"});
}

TEST(ResultFolder, NumpyMayWriteIt) {
  const auto python = testing::python_with("numpy");
  if (!python) GTEST_SKIP() << "no python3 with numpy";
  const TemporaryFolder folder;
  ASSERT_TRUE(testing::run_python(*python, folder.path(), R"(
import numpy as np
for m, n in enumerate((4, 5, 6)):
    np.save("factors_%d.npy" % m, np.arange(2.0 * n).reshape(n, 2))
np.save("weights.npy", np.array([2.0, 1.0]))
np.save("sparse_coords.npy", np.asfortranarray([[3, 4, 5], [0, 1, 2]]))
np.save("sparse_values.npy", np.array([7.0, 8.0]))
)"));
  const LowRankPlusSparse read = read_low_rank_plus_sparse(folder.path());
  EXPECT_EQ(read.low_rank.entry({1, 2, 3}), 2 * 2.0 * 4.0 * 6.0 + 1 * 3.0 * 5.0 * 7.0);
  ASSERT_EQ(read.sparse.count(), 2);
  EXPECT_EQ(read.sparse.positions()[0], 8);
  EXPECT_EQ(read.sparse.values()[0], 8.0);
  EXPECT_EQ(read.sparse.positions()[1], 119);
}

}  // namespace
}  // namespace sunder
