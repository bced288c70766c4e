// Notation, as in Shah et al. (2015), with modes 1 and 2 the rows and columns of a contraction:
//   Z = X + Y     the data, its low-rank and its sparse part (T = L + S elsewhere)
//   a, b          contraction vectors
//   Z_a           sum_k a_k Z(:, :, k) = X_a + Y_a
//   U, V, W       factors of X, a column for each component
// X_a = U diag(W^T a) V^T has the rank of X and the factors of X; Y_a is sparse if Y is so sparse
// that few fibres along the third mode meet it.
#include "sunder/algorithms/shah.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "algorithms/convex/contraction_pcp.hpp"
#include "algorithms/convex/jennrich.hpp"
#include "algorithms/matrix/flattening.hpp"
#include "algorithms/robust_cp/rows/row_fit.hpp"
#include "algorithms/run/abilities.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/run/validation.hpp"
#include "core/dense.hpp"
#include "core/random_order.hpp"
#include "core/statistics.hpp"

namespace sunder {

namespace {

/// The two matrices that the contractions give, or their low-rank parts.
using Pair = std::array<Matrix, 2>;

/// Two vectors as columns: on the unit sphere over all indices, or over `slices` of them each, the
/// two having none in common if there are enough.
Matrix contraction_vectors(Index extent, Index slices, Rng& rng) {
  Matrix vectors = Matrix::Zero(extent, 2);
  std::vector<Index> order(extent);
  std::iota(order.begin(), order.end(), Index{0});
  shuffle(order, rng);
  const Index count = slices > 0 ? std::min(slices, extent) : extent;
  for (Index column = 0; column < 2; ++column) {
    for (Index k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>((column * count + k) % extent);
      vectors(order[at], column) = rng.normal();
    }
    vectors.col(column).normalize();
  }
  return vectors;
}

class Shah {
 public:
  Shah(const TensorView& tensor, const RunOptions& run, const ShahOptions& options)
      : options_(options), tensor_(tensor), run_(tensor, run, "shah"), rng_(run.seed) {
    int* other = others_.data();
    for (int mode = 0; mode < 3; ++mode) {
      if (mode != options.contract_mode) *other++ = mode;
    }
  }

  Decomposition solve() {
    return run_.solve([this] { find_low_rank(); }, [this] { find_sparse(); });
  }

 private:
  void find_low_rank() {
    run_.set_stage("contraction");
    const Pair contractions = contract();
    if (!(data_max_ > 0)) return;
    const Pair low_rank = separate(contractions);
    const auto [u, v] = diagonalise(low_rank);
    run_.set_stage("regression");
    assemble(u, v, regress(u, v));
  }

  /// Z_a and Z_b by one pass over the flattening along the contracted mode. A missing entry counts
  /// as zero: it is a corruption like any other.
  Pair contract() {
    const Flattening flat(tensor_, options_.contract_mode);
    Engine engine(flat.matrix(), run_.options().threads, [this] { return run_.still_wanted(); });
    const CpModel nothing = CpModel::zero(engine.shape());
    const std::vector<Matrix> probe{contraction_vectors(engine.shape()[0], options_.slices, rng_),
                                    Matrix::Zero(engine.shape()[1], 2)};
    PassRequest request{.model = &nothing, .probe = &probe, .modes = only_mode(1)};
    request.data_statistics = true;
    const PassResult found = engine.pass(request);
    run_.add_passes(engine.passes());
    run_.result().missing_count = found.statistics.missing;
    data_max_ = found.statistics.data_max;
    data_norm_ = std::sqrt(found.statistics.data_square_sum);
    Pair contractions;
    for (std::size_t k = 0; k < 2; ++k) {
      const Vector entries = found.mttkrp[1].col(static_cast<Index>(k));
      const Index m = tensor_.shape()[others_[0]];
      const Index n = tensor_.shape()[others_[1]];
      // The last of the column modes runs fastest.
      if (flat.layout().column_modes.back() == others_[0]) {
        contractions[k] = entries.reshaped(m, n);
      } else {
        contractions[k] = entries.reshaped(n, m).transpose();
      }
    }
    return contractions;
  }

  /// X_a and X_b: the convex program, problem (6) of the paper.
  Pair separate(const Pair& contractions) {
    Pair low_rank;
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string stage = fmt::format("separation {} of 2", k + 1);
      run_.set_stage(stage);
      const Matrix& z = contractions[k];
      const double longer = static_cast<double>(std::max(z.rows(), z.cols()));
      const ContractionPcp found = contraction_pcp(z,
                                                   {.weight = options_.nu / std::sqrt(longer),
                                                    .tolerance = options_.tolerance,
                                                    .max_iterations = options_.max_iterations},
                                                   [this] { run_.ask(); });
      if (!found.converged) run_.result().outcome = Outcome::iteration_limit;
      run_.record({.stage = fmt::format("{}, {} iterations", stage, found.iterations),
                   .kept_residual = found.residual,
                   .sparse_fraction = found.sparse_share});
      low_rank[k] = found.low_rank;
    }
    return low_rank;
  }

  /// U and V from M = U diag(.) V^T and N = U diag(.) V^T, within the leading singular spaces of
  /// the two together. Where these have more dimensions than the rank, the separation failed.
  std::pair<Matrix, Matrix> diagonalise(const Pair& low_rank) {
    const Index rows = low_rank[0].rows();
    const Index columns = low_rank[0].cols();
    Matrix side_by_side(rows, 2 * columns);
    side_by_side << low_rank[0], low_rank[1];
    Matrix stacked(2 * rows, columns);
    stacked << low_rank[0], low_rank[1];
    const Svd left = thin_svd(side_by_side, SingularVectors::left);
    const Svd right = thin_svd(stacked, SingularVectors::right);
    const Index rank = std::max<Index>(
        1, std::min({Index{run_.rank()}, significant(left.values), significant(right.values)}));
    const bool too_many = significant(left.values) > run_.rank();
    const Matrix p = left.u.leftCols(rank);
    const Matrix q = right.v.leftCols(rank);
    const auto found =
        common_components(p.transpose() * low_rank[0] * q, p.transpose() * low_rank[1] * q);
    Outcome& outcome = run_.result().outcome;
    if ((too_many || !found) && outcome == Outcome::converged) outcome = Outcome::stalled;
    // Without a diagonalisation the singular vectors take the place of the components, so that
    // there is an answer at all.
    Matrix u = found ? p * found->first : p;
    Matrix v = found ? q * found->second : q;
    u.colwise().normalize();
    v.colwise().normalize();
    return {u, v};
  }

  static Index significant(const Vector& values) {
    return (values.array() > 1e-6 * values[0]).count();
  }

  /// W by robust regression of each slice Z(:, :, k) on the products u_i v_i^T, at some of its
  /// entries, the same for all slices.
  Matrix regress(const Matrix& u, const Matrix& v) {
    const Index rank = u.cols();
    const Index pairs = u.rows() * v.rows();
    std::vector<Index> chosen = robust::draw_columns(pairs, entries_per_unknown * rank, rng_);
    if (chosen.empty()) {
      chosen.resize(pairs);
      std::iota(chosen.begin(), chosen.end(), Index{0});
    }
    const auto count = std::ssize(chosen);
    robust::RowProblem problem(tensor_.shape()[options_.contract_mode], count, rank);
    std::vector<ModeIndices> fibres(chosen.size());
    for (Index c = 0; c < count; ++c) {
      const Index pair = chosen[c];
      const Index i = pair / v.rows();
      const Index j = pair % v.rows();
      fibres[c][others_[0]] = i;
      fibres[c][others_[1]] = j;
      problem.design.row(c) = u.row(i).cwiseProduct(v.row(j));
    }
    const Matrix values = run_.engine().gather_fibres(options_.contract_mode, fibres);
    for (Index k = 0; k < values.rows(); ++k) {
      for (Index c = 0; c < count; ++c) problem.set(k, c, values(k, c));
    }
    return robust::fit_rows(problem, Matrix::Zero(values.rows(), rank),
                            {.tolerance = 1e-6 * data_max_, .threads = run_.options().threads},
                            run_.monitor())
        .coefficients;
  }

  void assemble(const Matrix& u, const Matrix& v, const Matrix& w) {
    std::vector<Matrix> factors(3);
    factors[others_[0]] = u;
    factors[others_[1]] = v;
    factors[options_.contract_mode] = w;
    CpModel& low_rank = run_.result().low_rank;
    low_rank = CpModel(Vector::Ones(u.cols()), std::move(factors));
    low_rank.normalise();
    low_rank.sort_by_weight();
  }

  /// Nothing is found for a tensor of zeros, or if the run ended before there was an L.
  void find_sparse() {
    if (run_.low_rank().rank() == 0) return;
    const double zeta = threshold();
    run_.set_stage("sparse part");
    run_.find_sparse(zeta);
  }

  /// Residuals well above those of most entries belong to Y. These are as large as the error that
  /// the separations leave in U and V, which is not known otherwise; at large entries of X it may
  /// be a thousand times that at most entries, but not a millionth of them.
  double threshold() {
    const PassStatistics seen =
        run_.engine().pass({.model = &run_.low_rank(), .histogram = true}).statistics;
    const double zeta = std::max(10 / quartile_of_normal * seen.magnitudes.quantile(low_quantile),
                                 1e-6 * data_max_);
    run_.record({.stage = "regression",
                 .threshold = zeta,
                 .kept_residual = std::sqrt(seen.kept_square_sum) / data_norm_});
    return zeta;
  }

  static constexpr Index entries_per_unknown = 200;

  ShahOptions options_;
  TensorView tensor_;
  Run run_;
  Rng rng_;
  std::array<int, 2> others_{};
  double data_max_ = 0;
  double data_norm_ = 0;
};

void validate(const Shape& shape, const RunOptions& run, const ShahOptions& options) {
  require_decomposable(shape);
  require_three_modes(shape, "shah");
  require_option(0 <= options.contract_mode && options.contract_mode < 3, "contract-mode",
                 "from 0 to 2", options.contract_mode);
  require_option(options.slices >= 0, "slices", "0 (all) or positive", options.slices);
  require_option(options.nu > 0, "nu", "positive", options.nu);
  require_option(options.tolerance > 0, "tolerance", "positive", options.tolerance);
  require_iterations(options.max_iterations);
  require_rank(run.rank, shape);
  Index shortest = shape.entries();
  for (int mode = 0; mode < 3; ++mode) {
    if (mode != options.contract_mode) shortest = std::min(shortest, shape[mode]);
  }
  if (run.rank > shortest) {
    throw InputError(fmt::format(
        "rank {} is more than the {} linearly independent components that a contraction of shape "
        "{} along mode {} can have: contract along another mode, or choose a smaller rank",
        run.rank, shortest, to_string(shape), options.contract_mode));
  }
}

}  // namespace

Decomposition shah(const TensorView& tensor, const RunOptions& run, const ShahOptions& options) {
  require_heeded("shah", {}, run);
  validate(tensor.shape(), run, options);
  Decomposition result = Shah(tensor, run, options).solve();
  require_observed(result.missing_count, tensor.shape());
  return result;
}

}  // namespace sunder
