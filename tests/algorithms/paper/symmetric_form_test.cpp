#include "algorithms/paper/symmetric_form.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "algorithms/entries_of.hpp"
#include "planted_problem.hpp"

namespace sunder {
namespace {

const Shape cuboid{20, 30, 40};
constexpr Index side = 90;

/// sym(T), entry by entry: non-zero where the three indices fall into three different modes.
DenseTensor embedded(const DenseTensor& tensor) {
  DenseTensor whole(Shape{side, side, side});
  const std::array<Index, 3> first{0, 20, 50};
  ModeIndices index{};
  for (index[0] = 0; index[0] < cuboid[0]; ++index[0]) {
    for (index[1] = 0; index[1] < cuboid[1]; ++index[1]) {
      for (index[2] = 0; index[2] < cuboid[2]; ++index[2]) {
        const double x = tensor.view()(std::span<const Index>(index.data(), 3));
        std::array<Index, 3> at{};
        for (std::size_t m = 0; m < 3; ++m) at[m] = first[m] + index[m];
        std::sort(at.begin(), at.end());
        do {
          whole.typed<double>()[(at[0] * side + at[1]) * side + at[2]] = x;
        } while (std::next_permutation(at.begin(), at.end()));
      }
    }
  }
  return whole;
}

Matrix random_columns(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed);
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

/// Orthonormal columns in every mode.
CpModel orthogonal_model(int rank, std::uint64_t seed) {
  const CpModel random = test::random_model(cuboid, rank, seed);
  std::vector<Matrix> factors;
  for (const Matrix& factor : random.factors()) {
    const Eigen::HouseholderQR<Matrix> qr(factor);
    factors.emplace_back(qr.householderQ() * Matrix::Identity(factor.rows(), rank));
  }
  return {Vector::LinSpaced(rank, 3, 1), std::move(factors)};
}

TEST(SymmetricEmbedding, ContractsAsItsDenseConstruction) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const DenseTensor tensor = test::dense(test::random_model(cuboid, 4, seed));
    const DenseTensor whole = embedded(tensor);
    test::EntriesOf implied(tensor);
    test::EntriesOf formed(whole);
    const Matrix x = random_columns(side, 3, 10 + seed);
    const Matrix y = random_columns(side, 3, 20 + seed);
    const Matrix expected = SymmetricItself().contract(formed.entries, x, y);
    EXPECT_LE((SymmetricEmbedding().contract(implied.entries, x, y) - expected).norm(),
              1e-12 * expected.norm());
    // Symmetry: A(I, x, y) = A(I, y, x), and A(z, x, y) = A(x, z, y).
    EXPECT_LE((SymmetricEmbedding().contract(implied.entries, y, x) - expected).norm(),
              1e-12 * expected.norm());
    const Matrix z = random_columns(side, 3, 30 + seed);
    const Matrix turned = SymmetricEmbedding().contract(implied.entries, z, y);
    EXPECT_LE(
        (z.cwiseProduct(expected).colwise().sum() - x.cwiseProduct(turned).colwise().sum()).norm(),
        1e-10 * expected.norm());
    const Matrix square = SymmetricItself().square(formed.entries, x);
    EXPECT_LE((SymmetricEmbedding().square(implied.entries, x) - square).norm(),
              1e-12 * square.norm());
  }
}

TEST(SymmetricEmbedding, HasAtMostSixTimesTheRank) {
  for (const int rank : {1, 2, 3}) {
    const DenseTensor whole = embedded(test::dense(test::random_model(cuboid, rank, 5)));
    // The rank of a flattening bounds the CP rank from below; explicit terms bound it from above:
    // sym(T) is the sum of the six transpositions of each of the `rank` terms.
    const Eigen::Map<const Matrix> flat(whole.typed<double>().data(), side * side, side);
    const Eigen::JacobiSVD<Matrix> svd(Matrix(flat.transpose() * flat));
    Index flat_rank = 0;
    for (const double s : svd.singularValues()) flat_rank += s > 1e-10 * svd.singularValues()[0];
    EXPECT_EQ(flat_rank, 3 * rank);

    const CpModel model = test::random_model(cuboid, rank, 5);
    CpModel sum = CpModel::zero(Shape{side, side, side});
    std::array<int, 3> modes{0, 1, 2};
    const std::array<Index, 3> first{0, 20, 50};
    do {
      std::vector<Matrix> factors;
      for (const int mode : modes) {
        Matrix lifted = Matrix::Zero(side, rank);
        lifted.middleRows(first[mode], cuboid[mode]) = model.factor(mode);
        factors.push_back(std::move(lifted));
      }
      sum = concatenate(sum, CpModel(model.weights(), std::move(factors)));
    } while (std::next_permutation(modes.begin(), modes.end()));
    ASSERT_EQ(sum.rank(), 6 * rank);
    const DenseTensor formed = test::dense(sum);
    double worst = 0;
    for (std::size_t i = 0; i < formed.typed<double>().size(); ++i) {
      worst = std::max(worst, std::abs(formed.typed<double>()[i] - whole.typed<double>()[i]));
    }
    EXPECT_LE(worst, 1e-12 * model.norm());
  }
}

TEST(SymmetricEmbedding, TurnsSingularVectorsIntoEigenvectors) {
  const CpModel model = orthogonal_model(3, 7);
  const DenseTensor tensor = test::dense(model);
  test::EntriesOf implied(tensor);
  for (Index i = 0; i < model.rank(); ++i) {
    Vector u(side);
    u << model.factor(0).col(i), model.factor(1).col(i), model.factor(2).col(i);
    u /= std::sqrt(3.0);
    const double lambda = 2 * model.weights()[i] / std::sqrt(3.0);
    EXPECT_LE((SymmetricEmbedding().square(implied.entries, u) - lambda * u).norm(), 1e-12);
    const CpModel component = SymmetricEmbedding().component(lambda, u, cuboid);
    EXPECT_NEAR(component.weights()[0], model.weights()[i], 1e-12);
    EXPECT_LE((component.factor(1).col(0) - model.factor(1).col(i)).norm(), 1e-12);
  }
}

TEST(SymmetricEmbedding, KeepsIncoherenceUpToItsFactor) {
  EXPECT_DOUBLE_EQ(SymmetricEmbedding::incoherence_factor(cuboid), std::sqrt(90.0 / 60));
  EXPECT_DOUBLE_EQ(SymmetricEmbedding::incoherence_factor(Shape{7, 7, 7}), 1);
  const CpModel model = orthogonal_model(3, 8);
  double mu = 0;
  double embedded_mu = 0;
  for (int mode = 0; mode < 3; ++mode) {
    const double largest = model.factor(mode).cwiseAbs().maxCoeff();
    mu = std::max(mu, largest * std::sqrt(static_cast<double>(cuboid[mode])));
    embedded_mu = std::max(embedded_mu, largest / std::sqrt(3.0) * std::sqrt(90.0));
  }
  EXPECT_LE(embedded_mu, SymmetricEmbedding::incoherence_factor(cuboid) * mu * (1 + 1e-12));
}

TEST(SymmetricItself, ContractsOverTheLastTwoModes) {
  const DenseTensor tensor = test::dense(test::random_model(Shape{6, 6, 6}, 2, 1));
  test::EntriesOf entries(tensor);
  const Matrix x = random_columns(6, 2, 2);
  const Matrix y = random_columns(6, 2, 3);
  const Matrix product = SymmetricItself().contract(entries.entries, x, y);
  for (Index i = 0; i < 6; ++i) {
    double sum = 0;
    for (Index j = 0; j < 6; ++j) {
      for (Index k = 0; k < 6; ++k) sum += tensor.view()({i, j, k}) * x(j, 1) * y(k, 1);
    }
    EXPECT_NEAR(product(i, 1), sum, 1e-12);
  }
}

}  // namespace
}  // namespace sunder
