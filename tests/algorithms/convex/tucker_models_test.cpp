#include "algorithms/convex/tucker_models.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "planted_problem.hpp"

namespace sunder {
namespace {

/// Orthonormal bases of the columns of each factor.
std::vector<Matrix> bases_of(const CpModel& model) {
  std::vector<Matrix> bases;
  for (const Matrix& factor : model.factors()) {
    const Index rank = std::min(factor.rows(), factor.cols());
    bases.emplace_back(Eigen::HouseholderQR<Matrix>(factor).householderQ() *
                       Matrix::Identity(factor.rows(), rank));
  }
  return bases;
}

TEST(TuckerModels, ATensorInTheSpanOfItsBasesIsKept) {
  for (const Shape& shape : {Shape{5, 4, 6}, Shape{7, 3}, Shape{3, 4, 2, 5}, Shape{4, 1, 5}}) {
    const CpModel truth = test::random_model(shape, 2, 3);
    const DenseTensor tensor = test::dense(truth);
    const TuckerModel tucker = projected(tensor.typed<double>(), shape, bases_of(truth));
    for (int mode = 0; mode < shape.order(); ++mode) {
      EXPECT_EQ(tucker.core_shape[mode], std::min<Index>(2, shape[mode]));
    }
    const CpModel model = cp_model(tucker);
    ASSERT_EQ(model.shape(), shape);
    EXPECT_LT(model.distance(truth), 1e-13 * truth.norm()) << to_string(shape);
    EXPECT_LE(model.rank(), tucker.core_shape.entries() / 2);
    for (Index i = 0; i < model.rank(); ++i) EXPECT_GT(model.weights()[i], 0);
  }
}

TEST(TuckerModels, FibresRunAlongTheLongestModeOfTheCore) {
  const Shape shape{6, 7, 8};
  std::vector<Matrix> bases;
  for (const Index rank : {2, 5, 3}) {
    const Index extent = shape[static_cast<int>(bases.size())];
    bases.emplace_back(Matrix::Identity(extent, rank));
  }
  const DenseTensor tensor = test::dense(test::random_model(shape, 4, 1));
  const CpModel model = cp_model(projected(tensor.typed<double>(), shape, bases));
  EXPECT_EQ(model.rank(), 2 * 3);
  // Bases of unit vectors cut out a corner.
  const TensorView view = tensor.view();
  EXPECT_NEAR(model.entry({1, 4, 2}), view({1, 4, 2}), 1e-13);
  EXPECT_NEAR(model.entry({1, 5, 2}), 0, 1e-13);
}

TEST(TuckerModels, ARankOfZeroIsTheZeroTensor) {
  const Shape shape{3, 4, 5};
  const DenseTensor tensor = test::dense(test::random_model(shape, 2, 1));
  const CpModel model =
      cp_model(projected(tensor.typed<double>(), shape,
                         {Matrix::Identity(3, 2), Matrix(4, 0), Matrix::Identity(5, 1)}));
  EXPECT_EQ(model.rank(), 0);
  EXPECT_EQ(model.shape(), shape);
}

}  // namespace
}  // namespace sunder
