// Notation, as in Algorithm 1:
//   T          the data
//   L          low-rank estimate, sum of eigenpairs
//   S          HT_zeta(T - L); never stored, since it is a function of T, L and zeta
//   zeta       threshold
//   l, r       stage (the current rank), target rank
//   P_l(A)     the l leading eigenpairs of A, by Procedure 1 (grad_ascent)
//   sigma_l(A) the l-th eigenvalue among them
//   beta, tau, delta   threshold scale, iterations of a stage, accuracy
// n^1.5 is the square root of the number of entries; docs/methods/rtd.md has the readings.
#include "sunder/algorithms/rtd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "algorithms/paper/grad_ascent.hpp"
#include "algorithms/paper/symmetry.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/run/validation.hpp"

namespace sunder {

namespace {

/// mu = max_i sqrt(n) ||u_i||_inf.
double incoherence(const Matrix& vectors) {
  if (vectors.size() == 0) return 1;
  return std::sqrt(static_cast<double>(vectors.rows())) * vectors.cwiseAbs().maxCoeff();
}

/// What the next iteration depends on besides L.
struct RtdState {
  int l = 1;    ///< stage
  int t = 0;    ///< iteration of the stage
  int tau = 0;  ///< last iteration of the stage
  double beta = 0;
  double zeta = std::numeric_limits<double>::infinity();  ///< of the present S
  double next_zeta = 0;
  Index rejected = 0;  ///< entries of the present S
  Eigenpairs pairs;    ///< of T - S
  Eigenpairs pairs_of_data;
  Rng rng{0};
};
template <class Archive>
void describe(Archive& archive, RtdState& state) {
  archive(state.l);
  archive(state.t);
  archive(state.tau);
  archive(state.beta);
  archive(state.zeta);
  archive(state.next_zeta);
  archive(state.rejected);
  archive(state.pairs);
  archive(state.pairs_of_data);
  archive(state.rng);
}

class Rtd {
 public:
  Rtd(std::shared_ptr<Source> tensor, const RunOptions& run, const RtdOptions& options)
      : options_(options), run_(std::move(tensor), run, "rtd") {
    if (options.embed) {
      form_ = std::make_unique<SymmetricEmbedding>();
    } else {
      form_ = std::make_unique<SymmetricItself>();
    }
    state_.rng = Rng(run.seed);
    run_.result().outcome = Outcome::iteration_limit;
    run_.result().certificate.explanation =
        "rtd has no certificate of its own: the theorem promises the result only where its "
        "conditions hold, which the theory report of sunder info measures.";
  }

  Decomposition solve() {
    return run_.solve([this] { iterate(); },
                      [this] {
                        run_.find_sparse(state_.zeta);
                        if (may_be_out_of_range(run_.low_rank().norm())) {
                          require_range(run_.data().data_max);
                        }
                      });
  }

 private:
  /// Algorithm 1.
  void iterate() {
    auto& [l, t, tau, beta, zeta, next_zeta, rejected, pairs, pairs_of_data, rng] = state_;
    const int r = run_.rank();
    if (run_.resume(state_)) {
      measure_units();
    } else {
      find_first_pairs();
      threshold(beta * sigma(pairs, 1));  // step 2: S = HT_zeta(T), L = 0
      pairs = eigenpairs();
      begin_stage(1);
    }
    for (; l <= r; begin_stage(l + 1)) {  // step 3
      for (; t <= tau; ++t) {             // step 4
        run_.keep(state_);
        const double change = run_.replace_low_rank(leading(pairs, l));  // step 5: L = P_l(T - S)
        threshold(next_zeta);  // step 6: S = HT_zeta(T - L)
        pairs = eigenpairs();
        record(change);
        next_zeta = beta * (sigma(pairs, l + 1) + std::ldexp(sigma(pairs, l), -t));  // step 7
        if (is_at_rest(change)) break;
      }
      if (beta * sigma(pairs, l + 1) < options_.delta / (2 * extent_)) break;  // step 9
    }
    run_.result().outcome = pairs.converged ? Outcome::converged : Outcome::iteration_limit;
  }

  /// Step 1: the pairs of T itself, and beta from them.
  void find_first_pairs() {
    run_.set_fraction(0);
    require_observed(run_.measure_data().missing, run_.shape());
    measure_units();
    state_.pairs_of_data = state_.pairs = found_pairs();
    const double mu = options_.mu ? *options_.mu : incoherence(state_.pairs.vectors);
    state_.beta = options_.beta ? *options_.beta : 4 * mu * mu * mu * run_.rank() / root_entries_;
  }

  void measure_units() {
    const auto entries = static_cast<double>(run_.shape().entries());
    root_entries_ = std::sqrt(entries);
    extent_ = std::cbrt(entries);
    floor_ = std::max(16 * std::numeric_limits<double>::epsilon() * run_.data().data_max,
                      options_.delta / (4 * root_entries_));
  }

  void begin_stage(int l) {
    state_.l = l;
    state_.t = 0;
    state_.tau = iterations_of_stage(state_.pairs);
    state_.next_zeta = state_.zeta;
  }

  /// The r pairs of T - S that Procedure 1 finds. While S is empty they are those of T.
  Eigenpairs eigenpairs() { return state_.rejected == 0 ? state_.pairs_of_data : found_pairs(); }

  Eigenpairs found_pairs() {
    CleanedTensor cleaned(run_.engine(), run_.low_rank(), Rule::hard_threshold(state_.zeta));
    GradAscentOptions ascent;
    ascent.restarts = options_.restarts;
    ascent.power_iterations = options_.power_iterations;
    ascent.shift = options_.shift;
    return grad_ascent(cleaned, *form_, run_.rank(), ascent, state_.rng);
  }

  /// l from 1. Procedure 1 gives r pairs at most; sigma_l of a pair that it does not give is zero.
  static double sigma(const Eigenpairs& pairs, int l) {
    return l <= pairs.values.size() ? std::max(pairs.values[l - 1], 0.0) : 0;
  }

  static CpModel leading(const Eigenpairs& pairs, int l) {
    return pairs.components.leading(std::min(l, pairs.components.rank()));
  }

  /// tau = 10 log(n beta ||T - S|| / delta), the norm by its leading eigenvalue.
  int iterations_of_stage(const Eigenpairs& pairs) const {
    const double tau = 10 * std::log(extent_ * state_.beta * sigma(pairs, 1) / options_.delta);
    return std::isfinite(tau) ? std::max(1, static_cast<int>(std::ceil(tau))) : 1;
  }

  /// Sets zeta, never below its floor, and measures S.
  void threshold(double zeta) {
    state_.zeta = std::max(zeta, floor_);
    rejected_before_ = state_.rejected;
    seen_ = run_.engine()
                .pass({.model = &run_.low_rank(), .rule = Rule::hard_threshold(state_.zeta)})
                .statistics;
    state_.rejected = seen_.rejected;
  }

  /// L, the number of entries in S and zeta stay as they are: the iterations that remain in the
  /// stage would repeat this one.
  bool is_at_rest(double change) const {
    return change < 1e-12 && state_.rejected == rejected_before_ &&
           std::abs(std::max(state_.next_zeta, floor_) - state_.zeta) < 1e-9 * state_.zeta;
  }

  void record(double change) {
    const double data = run_.data().data_square_sum;
    run_.record({.stage = fmt::format("stage {} of {}", state_.l, run_.rank()),
                 .threshold = state_.zeta,
                 .kept_residual = data > 0 ? std::sqrt(seen_.kept_square_sum / data) : 0,
                 .sparse_fraction = rejected_share(seen_),
                 .change = change});
    run_.set_fraction((state_.l - 1 + static_cast<double>(state_.t) / (state_.tau + 1)) /
                      run_.rank());
  }

  RtdOptions options_;
  Run run_;
  std::unique_ptr<SymmetricForm> form_;
  RtdState state_;
  PassStatistics seen_;        ///< of T - L under the present zeta
  Index rejected_before_ = 0;  ///< entries of the last S but one
  double root_entries_ = 0;    ///< n^1.5
  double extent_ = 0;          ///< n
  double floor_ = 0;           ///< of zeta
};

void validate(const Shape& shape, const RunOptions& run, const RtdOptions& options) {
  require_decomposable(shape);
  require_rank(run.rank, shape);
  require_option(options.delta > 0, "delta", "positive", options.delta);
  require_option(!options.mu || *options.mu > 0, "mu", "positive, or measured",
                 options.mu.value_or(0));
  require_option(!options.beta || *options.beta > 0, "beta", "positive, or measured",
                 options.beta.value_or(0));
  require_option(options.restarts >= 1, "restarts", "at least 1", options.restarts);
  require_option(options.power_iterations >= 1, "power-iterations", "at least 1",
                 options.power_iterations);
  require_option(options.shift >= 0, "shift", "0 or positive", options.shift);
  require_three_modes(shape, "rtd");
  require_orthogonal_rank(run.rank, shape);
}

Decomposition checked_run(const std::shared_ptr<Source>& tensor, const RunOptions& run,
                          const RtdOptions& options) {
  validate(tensor->shape(), run, options);
  if (!options.embed) require_symmetric(*tensor, *communicator_of(run));
  return Rtd(tensor, run, options).solve();
}

}  // namespace

Decomposition rtd(const TensorView& tensor, const RunOptions& run, const RtdOptions& options) {
  return checked_run(source_of(tensor), run, options);
}

Decomposition rtd(const StoredTensor& tensor, const RunOptions& run, const RtdOptions& options) {
  return checked_run(source_of(tensor), run, options);
}

}  // namespace sunder
