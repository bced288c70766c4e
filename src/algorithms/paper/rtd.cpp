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
#include "algorithms/run/validation.hpp"
#include "core/stopwatch.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// mu = max_i sqrt(n) ||u_i||_inf.
double incoherence(const Matrix& vectors) {
  if (vectors.size() == 0) return 1;
  return std::sqrt(static_cast<double>(vectors.rows())) * vectors.cwiseAbs().maxCoeff();
}

class Rtd {
 public:
  Rtd(const TensorView& tensor, const RunOptions& run, const RtdOptions& options)
      : options_(options),
        run_(run),
        engine_(tensor, run.threads, [this] { return report_progress(); }),
        rng_(run.seed) {
    if (options.embed) {
      form_ = std::make_unique<SymmetricEmbedding>();
    } else {
      form_ = std::make_unique<SymmetricItself>();
    }
    result_.low_rank = CpModel::zero(tensor.shape());
    result_.outcome = Outcome::iteration_limit;
  }

  Decomposition solve() {
    try {
      iterate();
      emit_sparse();
    } catch (const Cancelled&) {
      result_.outcome = Outcome::cancelled;
    }
    result_.passes = engine_.passes();
    result_.seconds = clock_.seconds();
    result_.certificate.explanation =
        "rtd has no certificate of its own: the theorem promises the result only where its "
        "conditions hold (sunder info --theory measures them).";
    return std::move(result_);
  }

 private:
  /// Algorithm 1.
  void iterate() {
    const int r = run_.rank;
    look_at_data();
    Eigenpairs pairs = eigenpairs();
    choose_beta(pairs);
    threshold(beta_ * sigma(pairs, 1));  // step 2: S = HT_zeta(T), L = 0
    pairs = eigenpairs();
    for (int l = 1; l <= r; ++l) {  // step 3
      const int tau = iterations_of_stage(pairs);
      double zeta = zeta_;
      for (int t = 0; t <= tau; ++t) {                           // step 4
        const double change = replace_model(leading(pairs, l));  // step 5: L = P_l(T - S)
        threshold(zeta);                                         // step 6: S = HT_zeta(T - L)
        pairs = eigenpairs();
        record(l, t, tau, change);
        zeta = beta_ * (sigma(pairs, l + 1) + std::ldexp(sigma(pairs, l), -t));  // step 7
        if (is_at_rest(change, zeta)) break;
      }
      if (beta_ * sigma(pairs, l + 1) < options_.delta / (2 * extent_)) break;  // step 9
    }
    result_.outcome = pairs.converged ? Outcome::converged : Outcome::iteration_limit;
  }

  void look_at_data() {
    const CpModel nothing = CpModel::zero(engine_.shape());
    data_ = engine_.pass({.model = &nothing, .data_statistics = true}).statistics;
    result_.missing_count = data_.missing;
    require_observed(data_.missing, engine_.shape());
    root_entries_ = std::sqrt(static_cast<double>(engine_.shape().entries()));
    extent_ = std::cbrt(static_cast<double>(engine_.shape().entries()));
    floor_ = std::max(16 * std::numeric_limits<double>::epsilon() * data_.data_max,
                      options_.delta / (4 * root_entries_));
    zeta_ = std::numeric_limits<double>::infinity();
  }

  /// The r pairs of T - S that Procedure 1 finds. While S is empty they are those of T.
  Eigenpairs eigenpairs() {
    if (pairs_of_data_ && seen_.rejected == 0) return *pairs_of_data_;
    CleanedTensor cleaned(engine_, result_.low_rank, Rule::hard_threshold(zeta_));
    GradAscentOptions ascent;
    ascent.restarts = options_.restarts;
    ascent.power_iterations = options_.power_iterations;
    ascent.shift = options_.shift;
    Eigenpairs pairs = grad_ascent(cleaned, *form_, run_.rank, ascent, rng_);
    if (!pairs_of_data_) pairs_of_data_ = pairs;
    return pairs;
  }

  /// beta = 4 mu^3 r / n^1.5.
  void choose_beta(const Eigenpairs& pairs) {
    const double mu = options_.mu ? *options_.mu : incoherence(pairs.vectors);
    beta_ = options_.beta ? *options_.beta : 4 * mu * mu * mu * run_.rank / root_entries_;
  }

  /// l from 1. Procedure 1 gives r pairs: sigma_{r+1} counts as zero, and so does what is not
  /// there.
  static double sigma(const Eigenpairs& pairs, int l) {
    return l <= pairs.values.size() ? std::max(pairs.values[l - 1], 0.0) : 0;
  }

  static CpModel leading(const Eigenpairs& pairs, int l) {
    return pairs.components.leading(std::min(l, pairs.components.rank()));
  }

  /// tau = 10 log(n beta ||T - S|| / delta), the norm by its leading eigenvalue.
  int iterations_of_stage(const Eigenpairs& pairs) const {
    const double tau = 10 * std::log(extent_ * beta_ * sigma(pairs, 1) / options_.delta);
    return std::isfinite(tau) ? std::max(1, static_cast<int>(std::ceil(tau))) : 1;
  }

  double replace_model(CpModel next) {
    const double scale = next.norm();
    const double distance = next.distance(result_.low_rank);
    result_.low_rank = std::move(next);
    return scale > 0 ? distance / scale : distance;
  }

  /// Sets zeta, never below its floor, and measures S.
  void threshold(double zeta) {
    zeta_ = std::max(zeta, floor_);
    rejected_before_ = seen_.rejected;
    seen_ =
        engine_.pass({.model = &result_.low_rank, .rule = Rule::hard_threshold(zeta_)}).statistics;
  }

  /// L, the number of entries in S and zeta stay as they are: the iterations that remain in the
  /// stage would repeat this one.
  bool is_at_rest(double change, double next_zeta) const {
    return change < 1e-12 && seen_.rejected == rejected_before_ &&
           std::abs(std::max(next_zeta, floor_) - zeta_) < 1e-9 * zeta_;
  }

  double kept_residual() const {
    return data_.data_square_sum > 0 ? std::sqrt(seen_.kept_square_sum / data_.data_square_sum) : 0;
  }

  void record(int l, int t, int tau, double change) {
    TraceRecord line;
    line.pass = engine_.passes();
    line.stage = fmt::format("stage {} of {}", l, run_.rank);
    line.threshold = zeta_;
    line.kept_residual = kept_residual();
    line.sparse_fraction =
        static_cast<double>(seen_.rejected) / static_cast<double>(seen_.observed());
    line.change = change;
    line.seconds = clock_.seconds();
    result_.trace.push_back(std::move(line));
    progress_ = (l - 1 + static_cast<double>(t) / (tau + 1)) / run_.rank;
  }

  void emit_sparse() {
    PassResult last = engine_.pass({.model = &result_.low_rank,
                                    .rule = Rule::hard_threshold(zeta_),
                                    .collect_sparse = run_.collect_sparse});
    result_.sparse = std::move(last.sparse);
    result_.sparse_count = last.statistics.rejected;
    result_.sparse_norm = std::sqrt(last.statistics.rejected_square_sum);
  }

  Continue report_progress() const {
    Progress progress;
    progress.fraction = progress_;
    progress.pass = engine_.passes();
    progress.stage = "starting";
    if (!result_.trace.empty()) {
      progress.stage = result_.trace.back().stage;
      progress.residual = result_.trace.back().kept_residual;
    }
    return report(run_.progress, progress);
  }

  RtdOptions options_;
  RunOptions run_;
  Stopwatch clock_;
  Engine engine_;
  Rng rng_;
  std::unique_ptr<SymmetricForm> form_;
  PassStatistics data_;
  PassStatistics seen_;  ///< of T - L under the present zeta
  Index rejected_before_ = 0;
  std::optional<Eigenpairs> pairs_of_data_;
  double root_entries_ = 0;  ///< n^1.5
  double extent_ = 0;        ///< n
  double beta_ = 0;
  double zeta_ = 0;
  double floor_ = 0;  ///< of zeta
  double progress_ = 0;
  Decomposition result_;
};

}  // namespace

Decomposition rtd(const TensorView& tensor, const RunOptions& run, const RtdOptions& options) {
  require_decomposable(tensor.shape());
  require_rank(run.rank, tensor.shape());
  require_option(options.delta > 0, "delta", "positive", options.delta);
  require_option(!options.mu || *options.mu > 0, "mu", "positive, or measured",
                 options.mu.value_or(0));
  require_option(!options.beta || *options.beta > 0, "beta", "positive, or measured",
                 options.beta.value_or(0));
  require_option(options.restarts >= 1, "restarts", "at least 1", options.restarts);
  require_option(options.power_iterations >= 1, "power-iterations", "at least 1",
                 options.power_iterations);
  require_option(options.shift >= 0, "shift", "0 or positive", options.shift);
  require_three_modes(tensor.shape(), "rtd");
  require_orthogonal_rank(run.rank, tensor.shape());
  if (!options.embed) require_symmetric(tensor);
  return Rtd(tensor, run, options).solve();
}

}  // namespace sunder
