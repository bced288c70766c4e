#include "algorithms/matrix/matrix_method.hpp"

#include <gtest/gtest.h>

#include "planted_problem.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

// A method that finds nothing of low rank: S is the whole matrix.
MatrixParts all_sparse(const TensorView& matrix, const RunOptions&, std::uint64_t) {
  std::vector<Index> positions;
  std::vector<double> values;
  for (Index i = 0; i < matrix.shape()[0]; ++i) {
    for (Index j = 0; j < matrix.shape()[1]; ++j) {
      positions.push_back(i * matrix.shape()[1] + j);
      values.push_back(matrix({i, j}));
    }
  }
  Decomposition result;
  result.low_rank = CpModel::zero(matrix.shape());
  result.set_sparse({matrix.shape(), std::move(positions), std::move(values)});
  return {std::move(result), 0};
}

TEST(MatrixMethod, EveryEntryComesBackToItsPlace) {
  const Shape shape{4, 3, 5};
  const DenseTensor tensor = test::dense(test::random_model(shape, 3, 1));
  RunOptions run;
  run.rank = 1;
  for (int mode = 0; mode < 3; ++mode) {
    const Decomposition result = decompose_flattening(
        tensor.view(), run, mode, "nothing",
        [&](const TensorView& matrix, const RunOptions& matrix_run, std::uint64_t stream) {
          EXPECT_EQ(matrix.shape(), (Shape{shape[mode], 60 / shape[mode]}));
          return all_sparse(matrix, matrix_run, stream);
        });
    EXPECT_EQ(result.low_rank.shape(), shape);
    ASSERT_EQ(result.sparse.count(), 60);
    for (std::size_t k = 0; k < 60; ++k) {
      EXPECT_EQ(result.sparse.values()[k], tensor.typed<double>()[k]) << "mode " << mode;
    }
    EXPECT_NE(result.certificate.explanation.find("nothing"), std::string::npos);
  }
}

TEST(MatrixMethod, RefusesModesAndRanksThatAreNotThere) {
  const DenseTensor tensor(Shape{4, 3, 5});
  RunOptions run;
  run.rank = 1;
  EXPECT_THROW(decompose_flattening(tensor.view(), run, 3, "nothing", all_sparse), OptionError);
  EXPECT_THROW(decompose_flattening(tensor.view(), run, -1, "nothing", all_sparse), OptionError);
  run.rank = 5;
  EXPECT_THROW(decompose_flattening(tensor.view(), run, 0, "nothing", all_sparse), InputError);
}

}  // namespace
}  // namespace sunder
