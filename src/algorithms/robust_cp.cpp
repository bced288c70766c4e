// The nested scheme, as in docs/methods/robust-cp.md:
//   C      a core: T on random index sets       F      factors of the model, extended to all of T
//   sigma  standard deviation of the inliers    unit   spread of the core, the unit of tolerances
#include "sunder/algorithms/robust_cp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "algorithms/robust_cp/core_solver.hpp"
#include "algorithms/robust_cp/gauss_newton.hpp"
#include "algorithms/robust_cp/rank_choice.hpp"
#include "algorithms/robust_cp/row_fit.hpp"
#include "algorithms/robust_cp/sampling.hpp"
#include "algorithms/robust_cp/verification.hpp"
#include "algorithms/validation.hpp"
#include "core/stopwatch.hpp"
#include "engine/engine.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

using namespace robust;

/// The solver works on numbers near one, whatever the unit of the data; a power of two changes no
/// digit.
double power_of_two_near(double x) {
  return x > 0 ? std::ldexp(1.0, std::clamp(std::ilogb(x), -1000, 1000)) : 1;
}

struct Candidate {
  Factors factors;
  CoreSolution core;
};

class RobustCp {
 public:
  RobustCp(const TensorView& tensor, const RunOptions& run, const RobustCpOptions& options)
      : tensor_(tensor),
        run_(run),
        options_(options),
        engine_(tensor, run.threads, [this] { return say("polishing"); }) {
    result_.low_rank = CpModel::zero(tensor.shape());
  }

  Decomposition solve() {
    try {
      nested();
    } catch (const Cancelled&) {
      result_.outcome = Outcome::cancelled;
    }
    result_.passes = engine_.passes() + verifications_;
    result_.entries_sampled = sampled_;
    result_.seconds = clock_.seconds();
    return std::move(result_);
  }

 private:
  void nested() {
    if (run_.rank == 0) choose_rank_on_a_core();
    Index side = options_.core;
    std::optional<Candidate> before;
    for (int attempt = 1, on_whole = 0;; ++attempt) {
      const Shape core = core_shape(tensor_.shape(), run_.rank, side);
      whole_ = core == tensor_.shape();
      on_whole += whole_ ? 1 : 0;
      Candidate now = solve_one(core, attempt);
      if (now.core.exact && certified_exact(now)) return;
      if (before && !now.core.exact && agree(*before, now)) return finish_with_noise(now);
      before = std::move(now);
      if (on_whole == 2 || (attempt >= 2 && out_of_budget())) return give_up(*before);
      side = side * 3 / 2;
    }
  }

  bool out_of_budget() const {
    return static_cast<double>(sampled_) >
           options_.max_read * static_cast<double>(tensor_.entries());
  }

  void choose_rank_on_a_core() {
    stage_ = "choosing the rank";
    ask();
    Rng rng(run_.seed, ~std::uint64_t{0});
    const Shape extents = core_shape(tensor_.shape(), 1, options_.core);
    DenseCore core = gather(tensor_, draw_indices(tensor_.shape(), extents, rng));
    sampled_ += core.values.size();
    if (!core.complete() && core.observed.sum() == 0) refuse_if_all_missing();
    core.values /= power_of_two_near(core.values.abs().maxCoeff());
    const Index longest = *std::max_element(extents.begin(), extents.end());
    const Index most = std::max<Index>(1, std::min((longest - 10) / 2, largest_rank(extents)));
    run_.rank = choose_rank(core, static_cast<int>(most), rng, [this] { ask(); }).rank;
  }

  Candidate solve_one(const Shape& core_extents, int attempt) {
    stage_ = fmt::format("core {}", to_string(core_extents));
    ask();
    Rng rng(run_.seed, static_cast<std::uint64_t>(attempt));
    const IndexSets sets = draw_indices(tensor_.shape(), core_extents, rng);
    DenseCore core = gather(tensor_, sets);
    sampled_ += core.values.size();
    scale_ = power_of_two_near(core.values.abs().maxCoeff());
    core.values /= scale_;
    if (!core.complete() && core.observed.sum() == 0) refuse_if_all_missing();
    Candidate candidate;
    candidate.core = solve_core(core, run_.rank, rng, [this] { ask(); });
    ask();
    candidate.factors = extend(sets, candidate.core);
    candidate.factors.front() *= scale_;
    candidate.core.sigma *= scale_;
    candidate.core.spread *= scale_;
    record(candidate);
    return candidate;
  }

  void refuse_if_all_missing() {
    const CpModel nothing = CpModel::zero(tensor_.shape());
    if (engine_.pass({.model = &nothing}).statistics.observed() == 0) {
      throw InputError("every entry of the tensor is NaN (missing): there is nothing to decompose");
    }
  }

  /// Every mode's rows by robust regression on the core's rows of the other modes.
  Factors extend(const IndexSets& sets, const CoreSolution& core) {
    Factors whole;
    for (int mode = 0; mode < tensor_.order(); ++mode) {
      const auto m = static_cast<std::size_t>(mode);
      const Index extent = tensor_.shape()[mode];
      DenseCore fibres = gather(tensor_, with_whole_mode(sets, mode, extent));
      sampled_ += fibres.values.size();
      fibres.values /= scale_;
      Matrix warm = Matrix::Zero(extent, run_.rank);
      for (std::size_t k = 0; k < sets[m].size(); ++k) {
        warm.row(sets[m][k]) = core.factors[m].row(static_cast<Index>(k));
      }
      whole.push_back(fit_rows(row_problem(fibres, core.factors, mode), warm,
                               core.sigma + 1e-9 * core.spread, [this] { ask(); }));
      ask();
    }
    return whole;
  }

  /// One read of T: S, and whether every slice is fitted to rounding.
  bool certified_exact(const Candidate& candidate) {
    const Verification seen = look(candidate, rounding_level * candidate.core.spread);
    if (seen.bad_slices > 0) {
      rejected_ = fmt::format("{} slices were not fitted", seen.bad_slices);
      return false;
    }
    keep(candidate, seen);
    result_.outcome = Outcome::converged;
    result_.certificate.level = Certified::exact;
    result_.certificate.explanation = fmt::format(
        "in every slice at least {:.1f}% of the entries are fitted to rounding by a model that "
        "they "
        "overdetermine",
        100 * seen.weakest_share);
    return true;
  }

  /// Two fits, of cores of different size or from different random starts, that give the same L: a
  /// reason to stop, not a certificate.
  bool agree(const Candidate& a, const Candidate& b) const {
    return distance(a.factors, b.factors) < 0.3 * norm(b.factors);
  }

  void finish_with_noise(Candidate candidate) {
    double sigma = sampled_sigma(candidate.factors);
    for (int k = 0; k < options_.polish_passes; ++k) sigma = polish(candidate.factors, sigma);
    const Verification seen = look(
        candidate, std::max(options_.noise_width * sigma, rounding_level * candidate.core.spread));
    keep(candidate, seen);
    result_.outcome = Outcome::converged;
    result_.certificate.explanation = fmt::format(
        "no model of rank {} fits the entries to rounding; what remains has a standard deviation "
        "of "
        "about {:.3g}, which may be noise, under which sunder gives no certificate, or the sign of "
        "a "
        "wrong rank; {} agree on L, which is no proof",
        run_.rank, sigma,
        whole_ ? "two fits from different random starts" : "two cores drawn independently");
  }

  void give_up(const Candidate& candidate) {
    const double sigma = sampled_sigma(candidate.factors);
    const Verification seen = look(
        candidate, std::max(options_.noise_width * sigma, rounding_level * candidate.core.spread));
    keep(candidate, seen);
    result_.outcome = Outcome::stalled;
    result_.certificate.explanation = fmt::format(
        "no core gave a model that explains the data ({}); the rank may be too small or too large, "
        "or too much of the data may be corrupted: try another --rank{}",
        rejected_.empty() ? "they disagree" : rejected_, whole_ ? "" : ", or a larger --core");
  }

  /// Least squares on the inliers by one Gauss-Newton step over all of T: one pass.
  double polish(Factors& factors, double sigma) {
    balance(factors);
    const CpModel model(Vector::Ones(run_.rank), factors);
    ModeSet modes;
    for (int mode = 0; mode < tensor_.order(); ++mode) modes.set(static_cast<std::size_t>(mode));
    PassResult seen =
        engine_.pass({.model = &model, .rule = Rule::hard_threshold(3 * sigma), .modes = modes});
    const auto observed = static_cast<double>(seen.statistics.observed());
    // A threshold at 3 sigma removes 2.7% of the curvature of the truncated loss.
    const double omega =
        std::max(0.973 * static_cast<double>(seen.statistics.kept) / observed, 0.1) * observed /
        static_cast<double>(tensor_.entries());
    for (Matrix& g : seen.mttkrp) g /= omega;
    const Factors delta = gauss_newton_step(factors, seen.mttkrp,
                                            {.damping = 1e-6, .max_steps = 40, .tolerance = 1e-4});
    for (std::size_t m = 0; m < factors.size(); ++m) factors[m] += delta[m];
    return sampled_sigma(factors);
  }

  /// Standard deviation of the inliers, from entries drawn at random.
  double sampled_sigma(const Factors& factors) {
    constexpr Index wanted = 50'000;
    const CpModel model(Vector::Ones(run_.rank), factors);
    Rng rng(run_.seed, 0);
    std::vector<double> magnitudes;
    for (Index k = 0; k < wanted; ++k) {
      const ModeIndices index = tensor_.shape().unravel(
          static_cast<Index>(rng.below(static_cast<std::uint64_t>(tensor_.entries()))));
      const std::span<const Index> at(index.data(), static_cast<std::size_t>(tensor_.order()));
      const double x = tensor_(at);
      if (!std::isnan(x)) magnitudes.push_back(std::abs(x - model.entry(at)));
    }
    sampled_ += wanted;
    return inlier_sigma(std::move(magnitudes));
  }

  Verification look(const Candidate& candidate, double level) {
    ++verifications_;
    Verification seen = verify(tensor_, candidate.factors, level, run_.threads,
                               [this](const Progress&) { return say("looking for S"); });
    if (seen.observed == 0) {
      throw InputError("every entry of the tensor is NaN (missing): there is nothing to decompose");
    }
    return seen;
  }

  void keep(const Candidate& candidate, const Verification& seen) {
    CpModel model(Vector::Ones(run_.rank), candidate.factors);
    model.normalise();
    model.sort_by_weight();
    result_.low_rank = std::move(model);
    result_.sparse = seen.sparse;
    result_.missing_count = seen.missing;
    if (!result_.trace.empty() && seen.data_square_sum > 0) {
      TraceRecord& last = result_.trace.back();
      last.pass = engine_.passes() + verifications_;
      last.kept_residual = std::sqrt(seen.kept_square_sum / seen.data_square_sum);
      last.sparse_fraction =
          static_cast<double>(seen.sparse.count()) / static_cast<double>(seen.observed);
    }
  }

  void record(const Candidate& candidate) {
    TraceRecord line;
    line.pass = engine_.passes() + verifications_;
    line.stage = fmt::format("{}, {} starts, {}", stage_, candidate.core.starts,
                             candidate.core.exact ? "exact" : "not exact");
    line.threshold = candidate.core.sigma;
    line.sparse_fraction = 1 - candidate.core.exact_share;
    line.seconds = clock_.seconds();
    result_.trace.push_back(std::move(line));
  }

  Continue say(std::string_view what) const {
    return report(run_.progress,
                  {.stage = what, .fraction = -1, .pass = engine_.passes() + verifications_});
  }
  void ask() const {
    if (say(stage_) == Continue::cancel) throw Cancelled();
  }

  TensorView tensor_;
  RunOptions run_;
  RobustCpOptions options_;
  Stopwatch clock_;
  Engine engine_;
  Decomposition result_;
  std::string stage_;
  std::string rejected_;
  bool whole_ = false;  ///< the core is all of T
  double scale_ = 1;    ///< of the core: the solver sees T / scale
  Index sampled_ = 0;
  int verifications_ = 0;
};

}  // namespace

Decomposition robust_cp(const TensorView& tensor, const RunOptions& run,
                        const RobustCpOptions& options) {
  require_decomposable(tensor.shape());
  if (run.rank != 0) require_rank(run.rank, tensor.shape());
  require_option(options.core >= 10, "core", "at least 10", options.core);
  require_option(options.max_read > 0, "max-read", "positive", options.max_read);
  require_option(options.polish_passes >= 0, "polish-passes", "0 or more", options.polish_passes);
  require_option(options.noise_width > 0, "noise-width", "positive", options.noise_width);
  return RobustCp(tensor, run, options).solve();
}

}  // namespace sunder
