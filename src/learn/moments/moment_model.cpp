// Notation, in addition to that of the header:
//   d        scale of the variables; all computations use d_i d_j M2_ij and d_i d_j d_k M3_ijk
//   X2, X3   the scaled moments; L2, L3 the models of them
#include "sunder/learn/moment_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/require_option.hpp"
#include "core/statistics.hpp"
#include "learn/moments/moment_cleaning.hpp"
#include "learn/moments/robust_start.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr double symmetry_tolerance = 1e-6;  // share of the largest entry
constexpr double noticeable = 0.1;           // least strength of a corrupted variable
constexpr double outstanding = 5;            // least multiple of the median strength

void check_symmetric(const SymmetricMoments& moments) {
  const Index n = moments.variables();
  const Matrix& m3 = moments.third;
  const double most2 = symmetry_tolerance * moments.second.cwiseAbs().maxCoeff();
  const double most3 = symmetry_tolerance * m3.cwiseAbs().maxCoeff();
  if ((moments.second - moments.second.transpose()).cwiseAbs().maxCoeff() > most2) {
    throw InputError("the second moment must be symmetric: check that the data are a moment");
  }
  for (Index k = 0; k < n; ++k) {
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) {
        const double entry = m3(i, j + n * k);
        if (std::abs(entry - m3(j, i + n * k)) > most3 ||
            std::abs(entry - m3(k, j + n * i)) > most3)
          throw InputError(
              "the third moment must be symmetric in all modes: check that the data are a moment");
      }
    }
  }
}

void check(const SymmetricMoments& moments, const Vector& scale, const MomentOptions& options) {
  const Index n = moments.variables();
  // The callers have names of their own for this option: topics, components.
  if (options.rank < 1 || options.rank > n) {
    throw OptionError(
        fmt::format("the number of components must be from 1 to {}, the number of "
                    "variables, not {}",
                    n, options.rank));
  }
  require_option(options.width > 1, "width", "above 1", options.width);
  require_option(options.max_rounds >= 1, "max-rounds", "at least 1", options.max_rounds);
  if (moments.second.cols() != n || moments.third.rows() != n || moments.third.cols() != n * n ||
      moments.first.size() != n || scale.size() != n) {
    throw InputError(fmt::format(
        "moments of {0} variables must be {0}, {0} x {0} and {0} x {0} x {0} numbers", n));
  }
  if (!moments.first.allFinite() || !moments.second.allFinite() || !moments.third.allFinite()) {
    throw InputError("a moment has an entry that is not a finite number");
  }
  check_symmetric(moments);
}

Matrix scaled_third(const Matrix& third, const Vector& d) {
  const Matrix pairs = (d * d.transpose()).eval();
  return d.asDiagonal() * third * pairs.reshaped().asDiagonal();
}

struct Candidate {
  CleanedFit fit;
  Certificate certificate;
};

/// Returns the better of the two, by a loss that corruption cannot dominate.
const Candidate& better(const Candidate& a, const Candidate& b, const ScaledMoments& moments,
                        const MomentOptions& options) {
  const double second = options.width * std::min(a.fit.second.sigma, b.fit.second.sigma);
  const double third = options.width * std::min(a.fit.third.sigma, b.fit.third.sigma);
  const auto loss = [&](const Candidate& one) {
    return truncated_loss(moments, one.fit.factors, second, third, options.noise);
  };
  return loss(b) < loss(a) ? b : a;
}

/// The parts of X that belong to S and to L, by variable.
struct Shares {
  Vector sparse;
  Vector model;
  Index count = 0;
  double inlier_squares = 0;

  Vector strength() const {
    return (sparse.array() / model.array().max(std::numeric_limits<double>::min())).sqrt();
  }
};

/// Sums over the first index, which suffices because both moments are symmetric.
Shares shares_of(const Matrix& x, const Matrix& model, MomentNoise noise, double limit) {
  const EntrySpread spread(noise, model);
  Shares shares{Vector::Zero(x.rows()), model.rowwise().squaredNorm(), 0, 0};
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < x.rows(); ++i) {
      const double residual = x(i, j) - model(i, j);
      if (std::abs(residual) <= limit * spread(model(i, j))) {
        shares.inlier_squares += residual * residual;
        continue;
      }
      shares.sparse[i] += residual * residual;
      ++shares.count;
    }
  }
  return shares;
}

std::vector<Index> outstanding_variables(const Vector& strength) {
  const double usual = median({strength.begin(), strength.end()});
  const double least = std::max(noticeable, outstanding * usual);
  std::vector<Index> found;
  for (Index i = 0; i < strength.size(); ++i) {
    if (strength[i] > least) found.push_back(i);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](Index a, Index b) { return strength[a] > strength[b]; });
  return found;
}

MomentModel described(const Candidate& best, const ScaledMoments& moments, const Vector& scale,
                      const MomentOptions& options) {
  const MomentFactors& factors = best.fit.factors;
  MomentModel model;
  const Matrix l2 = factors.directions * factors.directions.transpose();
  const Matrix l3 = third_of(factors);
  const Shares second = shares_of(moments.second, l2, options.noise, best.fit.second.limit);
  const Shares third = shares_of(moments.third, l3, options.noise, best.fit.third.limit);
  model.directions = scale.cwiseInverse().asDiagonal() * factors.directions;
  model.cubes = factors.cubes;
  model.strength = second.strength().cwiseMax(third.strength());
  model.corrupted = outstanding_variables(model.strength);
  model.corrupted_second = second.count;
  model.corrupted_third = third.count;
  model.residual = std::sqrt(third.inlier_squares / l3.squaredNorm());
  model.outcome = best.fit.cancelled ? Outcome::cancelled
                  : best.fit.settled ? Outcome::converged
                                     : Outcome::iteration_limit;
  model.certificate = best.certificate;
  return model;
}

MomentModel cancelled(Index n, int rank) {
  MomentModel model;
  model.directions = Matrix::Zero(n, rank);
  model.cubes = Vector::Zero(rank);
  model.strength = Vector::Zero(n);
  model.outcome = Outcome::cancelled;
  return model;
}

MomentModel plain_fit(const ScaledMoments& moments, const Vector& scale,
                      const MomentOptions& options) {
  Rng rng(options.seed, 2);
  std::optional<MomentFactors> found =
      whitened_estimate(moments.second, moments.third, options.rank, rng);
  if (!found) {
    throw InputError(fmt::format("the moments have fewer than {} independent components: use fewer",
                                 options.rank));
  }
  Candidate only;
  only.fit.factors = std::move(*found);
  only.fit.settled = true;
  only.fit.second.limit = only.fit.third.limit = std::numeric_limits<double>::infinity();
  only.certificate.explanation = "the plain estimator does not detect corruption";
  return described(only, moments, scale, options);
}

}  // namespace

MomentModel fit_moments(const SymmetricMoments& moments, const Vector& scale,
                        const MomentOptions& options) {
  check(moments, scale, options);
  const Matrix x2 = scale.asDiagonal() * moments.second * scale.asDiagonal();
  const Matrix x3 = scaled_third(moments.third, scale);
  const ScaledMoments scaled{x2, x3};
  if (!options.robust) return plain_fit(scaled, scale, options);
  std::optional<Candidate> best;
  const auto consider = [&](RobustStart start) {
    if (!start.factors) return start.cancelled;
    Candidate next{clean_moments(scaled, std::move(*start.factors), options),
                   std::move(start.certificate)};
    const bool stopped = next.fit.cancelled;
    best = best ? better(*best, next, scaled, options) : next;
    return stopped;
  };
  RobustStart from_third = start_from_third(scaled, options);
  const bool exact = from_third.certificate.level == Certified::exact;
  const Certificate certificate = from_third.certificate;
  if (consider(std::move(from_third))) return cancelled(moments.variables(), options.rank);
  if (!exact && consider(start_from_second(scaled, options))) {
    return cancelled(moments.variables(), options.rank);
  }
  if (!best) {
    throw InputError(
        fmt::format("no {} components explain the moments: use fewer, or check "
                    "whether most of the variables are corrupted",
                    options.rank));
  }
  if (best->certificate.explanation.empty()) best->certificate = certificate;
  return described(*best, scaled, scale, options);
}

}  // namespace sunder
