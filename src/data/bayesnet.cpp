// Notation: U  loadings, variables x hidden    w  variances of the hidden, networks x hidden
//           p, r, K, n  variables, hidden, networks, samples
#include "sunder/data/bayesnet.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "core/dense.hpp"
#include "core/require_option.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

namespace {

constexpr double least_eigenvalue = 0.1;  // of the noise correlations

/// Streams of random numbers: the noise of a network does not depend on the number of samples.
enum Stream : std::uint64_t { loadings = 1, first_noise = 1'000, first_samples = 1'000'000'000 };

Matrix random_noise(const BayesNetDataOptions& options, Rng& rng) {
  const Index p = options.variables;
  Matrix correlations = Matrix::Identity(p, p);
  for (Index i = 0; i < p; ++i) {
    for (Index j = i + 1; j < p; ++j) {
      if (!rng.bernoulli(options.density)) continue;
      const double size = rng.uniform(options.smallest, options.largest);
      correlations(i, j) = correlations(j, i) = rng.bernoulli(0.5) ? size : -size;
    }
  }
  const double smallest = symmetric_eigenvalues(correlations)[0];
  correlations.diagonal().array() += std::max(0.0, least_eigenvalue - smallest);
  Vector deviations(p);
  for (double& s : deviations) s = std::sqrt(rng.uniform(0.5, 1.5));
  return deviations.asDiagonal() * correlations * deviations.asDiagonal();
}

/// Makes both sides of the diagonal equal: the products above may round differently.
Matrix symmetrised(const Matrix& matrix) { return 0.5 * (matrix + matrix.transpose()); }

SparseTensor stacked(const std::vector<Matrix>& slices) {
  const Index p = slices.front().rows();
  const auto K = std::ssize(slices);
  std::vector<Index> positions;
  std::vector<double> values;
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < p; ++j) {
      for (Index k = 0; k < K; ++k) {
        const double value = slices[k](i, j);
        if (value == 0) continue;
        positions.push_back((i * p + j) * K + k);
        values.push_back(value);
      }
    }
  }
  return {Shape{p, p, K}, std::move(positions), std::move(values)};
}

}  // namespace

void validate(const BayesNetDataOptions& options) {
  require_option(options.variables >= 3, "variables", "at least 3", options.variables);
  require_option(options.hidden >= 1 && options.hidden < options.variables, "hidden",
                 "at least 1 and below the number of `variables`", options.hidden);
  require_option(options.networks >= 1, "networks", "at least 1", options.networks);
  require_option(options.samples >= 2, "samples", "at least 2", options.samples);
  require_share("edge-density", options.density);
  require_option(options.largest > 0 && options.largest < 1, "edge-largest", "above 0 and below 1",
                 options.largest);
  require_option(options.smallest > 0 && options.smallest <= options.largest, "edge-smallest",
                 "above 0 and at most `edge-largest`", options.smallest);
}

BayesNetData generate_bayesnet(const BayesNetDataOptions& options,
                               const ProgressCallback& progress) {
  validate(options);
  const Index p = options.variables;
  const Index r = options.hidden;
  const Index K = options.networks;
  Rng rng(options.seed, loadings);
  Matrix U = Matrix::NullaryExpr(p, r, [&] { return rng.normal(); });
  U.colwise().normalize();
  const double unit = static_cast<double>(p) / static_cast<double>(r);
  const Matrix w = Matrix::NullaryExpr(K, r, [&] { return unit * rng.uniform(0.5, 1.5); });
  BayesNetData data;
  std::vector<Matrix> noise;
  for (Index k = 0; k < K; ++k) {
    const auto network = static_cast<std::uint64_t>(k);
    Rng of_noise(options.seed, first_noise + network);
    noise.push_back(symmetrised(random_noise(options, of_noise)));
    data.covariances.push_back(
        symmetrised(U * w.row(k).transpose().asDiagonal() * U.transpose() + noise.back()));
    const Matrix root = data.covariances.back().llt().matrixL();
    Rng of_samples(options.seed, first_samples + network);
    const Matrix white =
        Matrix::NullaryExpr(p, options.samples, [&] { return of_samples.normal(); });
    data.samples.emplace_back((root * white).transpose());
    report_or_throw(progress, "drawing samples",
                    static_cast<double>(k + 1) / static_cast<double>(K));
  }
  data.low_rank = CpModel(Vector::Ones(r), {U, U, w});
  data.low_rank.normalise();
  data.noise = stacked(noise);
  return data;
}

}  // namespace sunder
