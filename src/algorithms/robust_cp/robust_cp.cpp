// The nested scheme, as docs/methods/robust-cp.md describes it. A candidate is a model of all of T
// that was extended from the fit of a random core.
#include "sunder/algorithms/robust_cp.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/robust_cp/candidate.hpp"
#include "algorithms/robust_cp/certificate/certificate.hpp"
#include "algorithms/robust_cp/comparison.hpp"
#include "algorithms/robust_cp/consensus/improvement.hpp"
#include "algorithms/robust_cp/core_schedule.hpp"
#include "algorithms/robust_cp/inference/errors/errors_of_run.hpp"
#include "algorithms/robust_cp/inference/ranks/rank_of_run.hpp"
#include "algorithms/robust_cp/inference/verdict/verdict_of_run.hpp"
#include "algorithms/robust_cp/levels/completion.hpp"
#include "algorithms/robust_cp/levels/noise.hpp"
#include "algorithms/robust_cp/levels/scheme.hpp"
#include "algorithms/robust_cp/noise/casewise/noise_result.hpp"
#include "algorithms/robust_cp/noise/noisy_run.hpp"
#include "algorithms/robust_cp/noise/noisy_tensor.hpp"
#include "algorithms/robust_cp/noise_finish.hpp"
#include "algorithms/robust_cp/run_context.hpp"
#include "algorithms/robust_cp/trace.hpp"
#include "algorithms/run/validation.hpp"
#include "sunder/algorithms/complete.hpp"

namespace sunder {

namespace {

using namespace robust;
namespace scheme = levels::scheme;

class RobustCp {
 public:
  /// If `guess` is given, it gets the best guess of every entry, where that is not L.
  RobustCp(std::shared_ptr<Source> source, const RunOptions& run, const RobustCpOptions& options,
           std::vector<double>* guess)
      : context_(std::move(source), run, options), guess_(guess) {
    result_.certificate.explanation = "There is no certificate, because the run was not completed.";
  }

  Decomposition solve() {
    Decomposition result = context_.frame.solve([this] { nested(); }, [this] { finish(); });
    result.trace = std::move(context_.state.trace);
    return result;
  }

 private:
  /// Scout, attempt, accept or grow.
  void nested() {
    prepare();
    if (scout()) return;
    CoreSchedule schedule(context_.shape, rank(), context_.options.core, context_.budget);
    if (first_look(schedule)) return;
    do {
      Rng rng(seed(), static_cast<std::uint64_t>(schedule.attempt()));
      Candidate found = attempt(schedule, rng);
      if (accept(found, schedule.is_whole())) return;
      const Comparison comparison = keep_the_better(std::move(found));
      const bool last = schedule.is_last(comparison.clear, out_of_entries());
      const bool ends = comparison.agrees || last;
      if (ends && accept_by_moves(schedule, rng)) return;
      if (ends && noisy_) consider(context_, *best_, comparison.agrees, *noisy_);
      if (ends) break;
    } while (schedule.grow());
    give_up(*best_, schedule.is_whole());
  }

  void prepare() {
    const auto memory =
        context_.steps.take<std::int64_t>("memory", [&] { return context_.run.memory; });
    context_.budget = CoreBudget(memory);
    if (!context_.chooses_rank) return;
    result_.ranks = choose_rank_of(context_);
    context_.run.rank = result_.ranks.recommended;
  }

  /// Often a much smaller core suffices, and one cheap start on it shows whether it does.
  bool scout() {
    const Index side = std::max(scheme::scout_side, scheme::scout_side_per_component * rank());
    const Shape core = core_shape(context_.shape, rank(), side);
    const Shape usual = core_shape(context_.shape, rank(), context_.options.core);
    if (scheme::scout_saves * core.entries() > usual.entries()) return false;
    if (!context_.budget.fits(core)) return false;
    Rng rng(seed(), ~std::uint64_t{1});
    const Sampled sampled = solve_random_core(context_, core, {.rungs = 1}, rng);
    saw_noise_ = sampled.solution.noise_like && !sampled.solution.exact &&
                 sampled.solution.sigma > levels::noise::hardly_noise * sampled.solution.spread;
    if (!sampled.solution.exact) return false;
    Candidate found = extend_to_tensor(context_, sampled, rng);
    return accept(found, false);
  }

  /// One cheap start on a core, unless the scout has seen noise already; where that is not exact, a
  /// fit under noise. Returns whether one of them explains the data.
  bool first_look(const CoreSchedule& schedule) {
    Rng rng(seed(), static_cast<std::uint64_t>(schedule.attempt()));
    if (!saw_noise_ && accept_one_start(schedule, rng)) return true;
    if (!(context_.state.mean_square > 0)) return false;
    noisy_ = solve_noisy_core(context_, noisy_extents(schedule.core()), rng);
    if (noisy_->exact.exact) {
      const Factors rows = known_rows(context_, *noisy_, rng);
      Candidate found = extend_to_tensor(context_, {noisy_->sets, noisy_->exact}, rng, &rows);
      if (accept(found, schedule.is_whole())) return true;
    }
    if (!noisy_->ends_the_search() || may_be_rounding(*noisy_)) return false;
    finish_with_noise();
    return true;
  }

  bool accept_one_start(const CoreSchedule& schedule, Rng& rng) {
    const Sampled sampled = solve_random_core(context_, schedule.core(), {.rungs = 1}, rng);
    if (!sampled.solution.exact) return false;
    Candidate found = extend_to_tensor(context_, sampled, rng);
    return accept(found, schedule.is_whole());
  }

  /// All of T where that is hardly larger than the core.
  Shape noisy_extents(const Shape& core) const {
    const auto entries = static_cast<double>(context_.shape.entries());
    const bool hardly_larger =
        entries <= levels::noise::whole_if_within * static_cast<double>(core.entries());
    return hardly_larger && context_.budget.fits(context_.shape) ? context_.shape : core;
  }

  /// In the first two cores, a fit whose residuals look like noise is not tried again.
  Candidate attempt(const CoreSchedule& schedule, Rng& rng) {
    const CoreOptions options{.until_noise = schedule.attempt() <= scheme::cores_until_noise};
    return extend_to_tensor(context_, solve_random_core(context_, schedule.core(), options, rng),
                            rng);
  }

  /// Whether the run ends with this candidate, which the search improves where it can. The journal
  /// remembers only a rejection, since S must be found again after a success.
  bool accept(Candidate& candidate, bool core_is_whole) {
    latest_ = candidate;
    latest_is_rejected_ = true;
    if (!candidate.core.exact) return false;
    std::optional<Candidate> rejected =
        context_.steps.failure<Candidate>("rejection", [&]() -> std::optional<Candidate> {
          const Searched searched = search(candidate);
          latest_ = candidate;
          if (passes_certificate(candidate, searched, core_is_whole)) return std::nullopt;
          return candidate;
        });
    latest_is_rejected_ = rejected.has_value();
    if (rejected) candidate = std::move(*rejected);
    if (rejected) rejected_.push_back(candidate.factors);
    latest_ = candidate;
    return !latest_is_rejected_;
  }

  /// What the search leaves: its report, and the pass that it ended with.
  struct Searched {
    SearchReport report;
    std::optional<TensorFit> fit;
    double level = 0;
  };

  /// Looks for a model that fits more of T. Reads T once, and again where a move was taken.
  Searched search(Candidate& candidate) {
    Searched searched;
    searched.level =
        rounding_bound(context_.engine, context_.state.precision, rank(), candidate.core.spread);
    if (!candidate.core.determines_low_rank()) return searched;
    context_.stage = "finding S";
    const bool any_left = context_.chooses_rank || components_of(candidate.factors) < rank();
    searched.fit = context_.sparse_pass.find_sparse(
        candidate.factors, searched.level, any_left ? KeepOutliers::while_few : KeepOutliers::no);
    Improved improved = improve(context_, candidate, searched.level, *searched.fit);
    candidate = std::move(improved.candidate);
    searched.report = improved.report;
    return searched;
  }

  bool passes_certificate(const Candidate& candidate, const Searched& searched,
                          bool core_is_whole) {
    context_.stage = "finding S";
    const AskedRank asked{.rank = std::max<Index>(rank(), candidate.factors.front().cols()),
                          .chosen = context_.chooses_rank,
                          .searched_all = core_is_whole && !context_.constraints.any()};
    Evidence evidence(candidate.factors, candidate.core, asked, context_.sparse_pass,
                      searched.level, Rng(seed(), ~std::uint64_t{2}));
    SearchReport report = searched.report;
    report.ties += was_beaten(candidate, searched.level) ? 1 : 0;
    evidence.set_search(report, searched.fit);
    Judgement judgement = judge_exact(evidence);
    context_.state.rejection = judgement.rejects() ? judgement.failure->sentence : std::string();
    if (judgement.rejects()) return false;
    store(candidate, evidence.fit());
    result_.outcome = Outcome::converged;
    result_.certificate = std::move(judgement.certificate);
    return true;
  }

  /// Whether a model of this run fits clearly more entries. It was rejected, perhaps because they
  /// do not determine it, but no verdict can then be about the one that fits fewer.
  bool was_beaten(const Candidate& candidate, double level) {
    return std::ranges::any_of(rejected_, [&](const Factors& other) {
      return fits_clearly_more(context_, other, candidate.factors, level);
    });
  }

  struct Comparison {
    bool agrees = false;  ///< the new candidate has the same L as the best one so far
    bool clear = false;   ///< one of the two explains T far better than the other
  };

  Comparison keep_the_better(Candidate found) {
    const bool agrees = best_ && !found.core.exact && agree(*best_, found);
    const double gain = best_ && !agrees ? description_gain(context_, found, *best_) : 0;
    if (!(gain < 0)) best_ = std::move(found);
    return {agrees, std::abs(gain) > scheme::clear_gain};
  }

  bool out_of_entries() const {
    return static_cast<double>(context_.meter.sampled()) >
           context_.options.max_read * static_cast<double>(context_.shape.entries());
  }

  /// Errors and components that the robust fit does not tell apart may still have a model that
  /// fits many entries to rounding.
  bool accept_by_moves(const CoreSchedule& schedule, Rng& rng) {
    if (best_->core.noise_like) return false;
    const Sampled sampled = solve_core_by_moves(context_, schedule.core(), rng);
    if (!sampled.solution.exact) return false;
    Candidate found = extend_to_tensor(context_, sampled, rng);
    return accept(found, schedule.is_whole());
  }

  void finish_with_noise() {
    Rng rng(seed(), ~std::uint64_t{5});
    context_.state.scale = noisy_->unit;
    const NoisyFit fit = extend_under_noise(context_, *noisy_, rng);
    store_under_noise(fit);
    if (guess_ != nullptr) *guess_ = completed_tensor(context_, *noisy_);
    if (may_be_out_of_range(result_.low_rank.norm()) && accept_zero()) return;
    const bool holds = fit.nats < noisy_->solution.fit.nats + levels::noise::worse_on_tensor;
    const double missing = static_cast<double>(result_.missing_count);
    const double known = 1 - missing / static_cast<double>(context_.shape.entries());
    const bool rests_on_few = rests_on_few_entries(*noisy_, fit, known);
    const bool is_only_one = noisy_->is_confirmed() && !rests_on_few;
    result_.outcome = !is_only_one                       ? Outcome::ambiguous
                      : noisy_->is_convincing() && holds ? Outcome::converged
                                                         : Outcome::stalled;
    // Where another L explains the data as well, nothing speaks for this one.
    result_.certificate =
        is_only_one ? verdict_of_run(context_, *noisy_, fit) : Certificate{Certified::none, ""};
    std::string& words = result_.certificate.explanation;
    words =
        explain_noise(context_, *noisy_, fit, rests_on_few) + (words.empty() ? "" : " ") + words;
  }

  void give_up(const Candidate& candidate, bool core_is_whole) {
    if (noisy_ && norm(noisy_->solution.fit.factors) > 0) return finish_with_noise();
    find_sparse(candidate, residuals_of(context_, candidate.factors).sigma());
    if (may_be_out_of_range(norm(candidate.factors)) && accept_zero()) return;
    result_.outcome = Outcome::stalled;
    result_.certificate.explanation = explain_stall(context_, core_is_whole);
  }

  void store_under_noise(const NoisyFit& fit) {
    context_.stage = "finding S";
    const double scale = context_.state.scale;
    const CoreSolution& core = noisy_->exact;
    const double least =
        rounding_bound(context_.engine, context_.state.precision, rank(), core.spread * scale);
    std::vector<SliceSums> slices;
    const SparseRule rule(fit, {.fdr = context_.options.fdr,
                                .width = context_.options.noise_width,
                                .least = least / scale});
    const Candidate candidate = in_unit_of_data(context_, fit.factors, core);
    const CpModel model = model_of(candidate);
    ErrorsOfRun errors(context_, model, fit, !noisy_->completed.empty());
    NoisySparse found =
        NoisyTensor(context_.engine, scale, noisy_->atoms, context_.monitor)
            .find_sparse(fit.factors, fit.noise, rule, context_.run, &slices, errors.visitor());
    store(candidate, found.fit);
    result_.errors = errors.finish();
    result_.sparse_q = std::move(found.q);
    result_.false_discoveries = rule.summary();
    store_noise(context_, fit, slices, result_);
  }

  /// S is found already, unless the time limit has ended the run. L is then the candidate that was
  /// being judged, or else the best of those before it. Without any candidate it is zero.
  void finish() {
    if (result_.outcome != Outcome::time_limit) return;
    const std::optional<Candidate>& chosen =
        latest_ && (!latest_is_rejected_ || !best_) ? latest_ : best_;
    if (chosen) find_sparse(*chosen, residuals_of(context_, chosen->factors).sigma());
  }

  /// Whether T is zero, and L = 0 therefore right. Takes one more pass, in a case that is rare.
  /// Throws InputError where the squares of the entries leave the range of numbers.
  bool accept_zero() {
    const CpModel zero = CpModel::zero(context_.shape);
    const PassResult seen = context_.engine.pass({.model = &zero, .data_statistics = true});
    require_range(seen.statistics.data_max);
    Judgement judgement = judge_zero(seen.statistics);
    if (judgement.rejects()) return false;
    result_.outcome = Outcome::converged;
    result_.certificate = std::move(judgement.certificate);
    return true;
  }

  void find_sparse(const Candidate& candidate, double sigma) {
    context_.stage = "finding S";
    TensorFit fit = context_.sparse_pass.find_sparse(
        candidate.factors, noise_threshold(context_, candidate, sigma), KeepOutliers::no);
    store(candidate, fit);
  }

  static CpModel model_of(const Candidate& candidate) {
    CpModel model(Vector::Ones(candidate.factors.front().cols()), candidate.factors);
    model.normalise();
    model.sort_by_weight();
    return model;
  }

  void store(const Candidate& candidate, TensorFit& fit) {
    result_.low_rank = model_of(candidate);
    result_.sparse = std::move(fit.sparse);
    result_.sparse_count = fit.statistics.rejected;
    const bool listed =
        context_.sparse_pass.collects() && context_.engine.communicator().size() == 1;
    result_.sparse_norm =
        listed ? result_.sparse.norm() : std::sqrt(fit.statistics.rejected_square_sum);
    result_.missing_count = fit.statistics.missing;
    record_sparse(fit, context_.meter, context_.state);
  }

  int rank() const { return context_.run.rank; }
  std::uint64_t seed() const { return context_.run.seed; }

  RunContext context_;
  std::vector<double>* guess_;
  Decomposition& result_ = context_.frame.result();
  std::optional<Candidate> best_;  ///< of those that were not accepted
  std::optional<Candidate> latest_;
  std::vector<Factors> rejected_;  ///< models that did not get the verdict
  std::optional<NoisySampled> noisy_;
  bool latest_is_rejected_ = false;
  bool saw_noise_ = false;  ///< in the scout's core: the residuals of its inliers are normal
};

Decomposition checked_run(std::shared_ptr<Source> source, const RunOptions& run,
                          const RobustCpOptions& options, std::vector<double>* guess = nullptr) {
  const Shape& shape = source->shape();
  require_decomposable(shape);
  if (run.rank != 0) require_rank(run.rank, shape);
  require_option(options.core >= 10, "core", "at least 10", options.core);
  require_option(options.max_read > 0, "max-read", "positive", options.max_read);
  require_option(options.polish_passes >= 0, "polish-passes", "0 or more", options.polish_passes);
  require_option(options.fdr > 0 && options.fdr <= 1, "fdr", "above 0 and at most 1", options.fdr);
  require_option(options.noise_width >= 0, "noise-width", "0 or more", options.noise_width);
  for (const int mode : options.smooth.modes) {
    require_option(mode >= 0 && mode < shape.order(), "smooth", "a list of modes of the tensor",
                   mode);
  }
  return RobustCp(std::move(source), run, options, guess).solve();
}

}  // namespace

Decomposition robust_cp(const TensorView& tensor, const RunOptions& run,
                        const RobustCpOptions& options) {
  return checked_run(source_of(tensor), run, options);
}

Decomposition robust_cp(const StoredTensor& tensor, const RunOptions& run,
                        const RobustCpOptions& options) {
  return checked_run(source_of(tensor), run, options);
}

Completion complete(const TensorView& tensor, const RunOptions& run,
                    const RobustCpOptions& options) {
  Completion completion;
  RunOptions chosen = run;
  if (chosen.rank == 0) {
    chosen.rank = static_cast<int>(
        std::min<Index>(levels::completion::components, largest_rank(tensor.shape())));
  }
  completion.decomposition = checked_run(source_of(tensor), chosen, options, &completion.guess);
  if (completion.guess.empty()) {
    Factors factors = completion.decomposition.low_rank.factors();
    factors.front() *= completion.decomposition.low_rank.weights().asDiagonal();
    const Entries L = evaluate(factors);
    completion.guess.assign(L.begin(), L.end());
  }
  return completion;
}

}  // namespace sunder
