#include "engine/kernels/regression.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "sunder/core/rng.hpp"

namespace sunder::kernels {
namespace {

Eigen::MatrixXd random_matrix(Index rows, Index columns, Rng& rng) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

TEST(Regression, KernelsAgreeWithTheReference) {
  Rng rng(7);
  for (const Index rank : {1, 2, 3, 4, 5, 8, 13, 25}) {
    for (const Index length : {8, 16, 40, 200, 1000}) {
      SCOPED_TRACE("rank " + std::to_string(rank) + ", length " + std::to_string(length));
      const Eigen::MatrixXd K = random_matrix(length, rank, rng);
      const Eigen::VectorXd y = random_matrix(length, 1, rng);
      const Eigen::VectorXd a = random_matrix(rank, 1, rng);
      const Eigen::VectorXd observed = (random_matrix(length, 1, rng).array() > 0).cast<double>();
      const Design design{K.data(), length, length, rank};
      Eigen::VectorXd r(length);
      Eigen::VectorXd r_reference(length);
      row_residual(design, y.data(), a.data(), r.data());
      reference::row_residual(design, y.data(), a.data(), r_reference.data());
      EXPECT_LT((r - r_reference).norm(), 1e-13 * r_reference.norm());
      for (const double* seen : {static_cast<const double*>(nullptr), observed.data()}) {
        Eigen::VectorXd w(length);
        Eigen::VectorXd w_reference(length);
        EXPECT_NEAR(
            geman_mcclure_weights(length, r.data(), seen, 0.7, w.data()),
            reference::geman_mcclure_weights(length, r.data(), seen, 0.7, w_reference.data()),
            1e-12 * static_cast<double>(length));
        EXPECT_LT((w - w_reference).norm(), 1e-13 * (1 + w_reference.norm()));
        Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(rank, rank);
        Eigen::MatrixXd normal_reference = Eigen::MatrixXd::Zero(rank, rank);
        Eigen::VectorXd gradient(rank);
        Eigen::VectorXd gradient_reference(rank);
        weighted_normal(design, r.data(), w.data(), normal.data(), gradient.data());
        reference::weighted_normal(design, r.data(), w.data(), normal_reference.data(),
                                   gradient_reference.data());
        const auto lower = [](const Eigen::MatrixXd& m) -> Eigen::MatrixXd {
          return m.triangularView<Eigen::Lower>();
        };
        EXPECT_LT((lower(normal) - lower(normal_reference)).norm(),
                  1e-13 * (1 + normal_reference.norm()));
        EXPECT_LT((gradient - gradient_reference).norm(), 1e-13 * (1 + gradient_reference.norm()));
        EXPECT_EQ(threshold_weights(length, r.data(), seen, 0.9, w.data()),
                  reference::threshold_weights(length, r.data(), seen, 0.9, w_reference.data()));
        EXPECT_EQ(w, w_reference);
      }
    }
  }
}

}  // namespace
}  // namespace sunder::kernels
