#pragma once
/// The random matrices on which the papers of accaltproj-flat and ircur-flat test their methods.

#include <cmath>
#include <vector>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/rng.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder::test {

struct RpcaProblem {
  DenseTensor data;
  CpModel low_rank;
  SparseTensor sparse;
};

/// L = P Q^T with standard normal P and Q; a share alpha of the entries of S is uniform in
/// [-c E|L_ij|, c E|L_ij|] (Cai et al. 2019, Section 3.1; Cai et al. 2021, Section IV).
inline RpcaProblem rpca_problem(Index n, int rank, double alpha, double c, std::uint64_t seed) {
  Rng rng(seed, 7);
  const auto normal = [&] { return rng.normal(); };
  const Matrix p = Matrix::NullaryExpr(n, rank, normal);
  const Matrix q = Matrix::NullaryExpr(n, rank, normal);
  const Matrix l = p * q.transpose();
  const double range = c * l.cwiseAbs().mean();
  RpcaProblem problem{DenseTensor(Shape{n, n}), CpModel(Vector::Ones(rank), {p, q}), {}};
  std::vector<Index> positions;
  std::vector<double> values;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      double& entry = problem.data.typed<double>()[i * n + j];
      entry = l(i, j);
      if (!rng.bernoulli(alpha)) continue;
      positions.push_back(i * n + j);
      values.push_back(rng.uniform(-range, range));
      entry += values.back();
    }
  }
  problem.sparse = SparseTensor(Shape{n, n}, std::move(positions), std::move(values));
  return problem;
}

}  // namespace sunder::test
