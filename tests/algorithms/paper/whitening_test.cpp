#include "algorithms/paper/whitening.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>

#include "algorithms/cp/cp_als.hpp"
#include "algorithms/entries_of.hpp"
#include "algorithms/paper/grad_ascent.hpp"
#include "planted_problem.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

/// Unit columns; before their scaling, singular values from 1 to `condition`.
Matrix with_condition(Index n, Index rank, double condition, Rng& rng) {
  const Vector values = Vector::LinSpaced(rank, 1, condition);
  Matrix u =
      test::orthonormal(n, rank, rng) * values.asDiagonal() * test::orthonormal(rank, rank, rng);
  for (Index i = 0; i < rank; ++i) u.col(i).normalize();
  return u;
}

TEST(Whitening, MakesASymmetricTensorOrthogonalAndComesBack) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const double condition : {1.0, 5.0, 20.0}) {
      Rng rng(seed);
      const Matrix u = with_condition(50, 5, condition, rng);
      const CpModel truth(Vector::LinSpaced(5, 2, 1), {u, u, u});
      const Whitening whitening(second_moments(truth));
      const DenseTensor tensor = test::dense(truth);
      test::EntriesOf entries(tensor);
      const DenseTensor small = whitening.whitened(entries.entries);
      EXPECT_EQ(entries.engine.passes(), 1);

      // Orthogonal: its components, known from the truth, are orthonormal; and the tensor is
      // theirs.
      CpModel components = whitening.whitened(truth);
      components.normalise();
      for (int mode = 0; mode < 3; ++mode) {
        const Matrix gram = components.factor(mode).transpose() * components.factor(mode);
        EXPECT_LE((gram - Matrix::Identity(5, 5)).norm(), 1e-10) << "condition " << condition;
      }
      const DenseTensor expected = test::dense(components);
      for (std::size_t i = 0; i < small.typed<double>().size(); ++i) {
        EXPECT_NEAR(small.typed<double>()[i], expected.typed<double>()[i], 1e-10);
      }

      // And back: the eigenpairs of the whitened tensor give the components of the truth.
      test::EntriesOf whitened(small);
      Rng restarts(seed);
      const Eigenpairs pairs =
          grad_ascent(whitened.entries, SymmetricItself(), 5, GradAscentOptions{}, restarts);
      const CpModel found = whitening.unwhitened(pairs.components);
      EXPECT_LE(found.distance(truth), 1e-10 * truth.norm()) << "condition " << condition;
    }
  }
}

TEST(Whitening, WorksForOtherOrdersAndUnequalModes) {
  for (const Shape& shape : {Shape{12, 15}, Shape{8, 9, 10}, Shape{6, 7, 5, 8}}) {
    const CpModel truth = [&] {
      CpModel model = test::random_model(shape, 3, 4);
      model.normalise();
      return model;
    }();
    const Whitening whitening(second_moments(truth));
    const DenseTensor tensor = test::dense(truth);
    test::EntriesOf entries(tensor);
    const DenseTensor small = whitening.whitened(entries.entries);
    const DenseTensor expected = test::dense(whitening.whitened(truth));
    ASSERT_EQ(small.shape(), expected.shape());
    for (std::size_t i = 0; i < small.typed<double>().size(); ++i) {
      EXPECT_NEAR(small.typed<double>()[i], expected.typed<double>()[i], 1e-10);
    }
    EXPECT_LE(whitening.unwhitened(whitening.whitened(truth)).distance(truth),
              1e-12 * truth.norm());
  }
}

TEST(Whitening, RefusesDependentComponents) {
  Matrix u = Matrix::Random(10, 3);
  u.col(2).setZero();
  const CpModel model(Vector::Ones(3), {u, u, u});
  EXPECT_THROW(Whitening{second_moments(model)}, InputError);
}

}  // namespace
}  // namespace sunder
