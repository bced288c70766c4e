// The nested scheme, as in docs/methods/robust-cp.md:
//   C      a core: T on random index sets       F      factors of the model, extended to all of T
//   sigma  standard deviation of the inliers    unit   spread of the core, the unit of tolerances
#include "sunder/algorithms/robust_cp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/certificate/outliers.hpp"
#include "algorithms/robust_cp/certificate/survey.hpp"
#include "algorithms/robust_cp/certificate/verification.hpp"
#include "algorithms/robust_cp/core/core_budget.hpp"
#include "algorithms/robust_cp/core/core_solver.hpp"
#include "algorithms/robust_cp/core/explanation.hpp"
#include "algorithms/robust_cp/core/rank_choice.hpp"
#include "algorithms/robust_cp/core/residual_sample.hpp"
#include "algorithms/robust_cp/core/sampling.hpp"
#include "algorithms/robust_cp/extend/extension.hpp"
#include "algorithms/robust_cp/extend/polish.hpp"
#include "algorithms/robust_cp/steps.hpp"
#include "algorithms/robust_cp/trace.hpp"
#include "algorithms/run/validation.hpp"
#include "engine/engine.hpp"
#include "engine/source/reader_source.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

using namespace robust;

std::shared_ptr<const Communicator> communicator_of(const RunOptions& run) {
  return run.communicator ? run.communicator : std::make_shared<SerialCommunicator>();
}

Constraints constraints_of(const RobustCpOptions& options, const Shape& shape) {
  Constraints constraints{options.shared, options.nonnegative};
  if (options.symmetric) {
    ModeList every(static_cast<std::size_t>(shape.order()));
    std::iota(every.begin(), every.end(), 0);
    constraints.shared = {every};
  }
  return constraints;
}

class RobustCp {
 public:
  RobustCp(std::shared_ptr<Source> source, const RunOptions& run, const RobustCpOptions& options)
      : shape_(source->shape()),
        run_(run),
        options_(options),
        constraints_(constraints_of(options, shape_), shape_),
        engine_(std::move(source), communicator_of(run), run.threads,
                [this] { return say(stage_); }),
        monitor_([this] { ask(); }),
        meter_(engine_, monitor_),
        steps_(run.state_keeper, engine_.communicator(), now_, meter_),
        survey_(engine_, run_, now_.precision, monitor_) {
    result_.low_rank = CpModel::zero(shape_);
    const ScalarType type = engine_.type();
    if (type != ScalarType::f64 && type != ScalarType::i32) now_.precision = Precision::f32;
  }

  Decomposition solve() {
    try {
      nested();
    } catch (const Cancelled&) {
      result_.outcome = Outcome::cancelled;
      steps_.keep_now();
    }
    const Effort effort = meter_.so_far();
    result_.passes = effort.passes;
    result_.entries_sampled = effort.sampled;
    result_.bytes_read = effort.bytes;
    result_.flops = effort.flops;
    result_.seconds = effort.seconds;
    result_.trace = std::move(now_.trace);
    return std::move(result_);
  }

 private:
  void nested() {
    budget_ = CoreBudget(steps_.take<std::int64_t>("memory", [&] { return run_.memory; }));
    if (chooses_rank_) choose_rank_on_a_core();
    if (scouted()) return;
    Index side = options_.core;
    std::optional<Candidate> best;
    bool at_the_limit = false;
    for (int attempt = 1, on_whole = 0;; ++attempt) {
      const Shape core = core_shape(shape_, run_.rank, side);
      budget_.require(core);
      whole_ = core == shape_;
      on_whole += whole_ ? 1 : 0;
      Rng rng(run_.seed, static_cast<std::uint64_t>(attempt));
      Sampled sampled = solve_core_of(core, {.until_noise = attempt <= 2}, rng);
      Candidate now = extended(sampled, rng);
      if (now.core.exact && certified_exact(now)) return;
      const bool agreed = best && !now.core.exact && agree(*best, now);
      // Of two that disagree the one that explains more is kept; where it explains far more, a
      // third may agree with it.
      const double gain = best && !agreed ? gain_of(now, *best) : 0;
      if (gain < 0) now = *std::move(best);
      const bool promising = whole_ && std::abs(gain) > clear_gain;
      const bool last =
          on_whole >= (promising ? 3 : 2) || (attempt >= 2 && !promising && out_of_budget());
      if ((agreed || last) && explained_better_by_less_robust_fit(now, core, rng)) return;
      if (agreed) return finish_with_noise(now);
      best = std::move(now);
      if (last || at_the_limit) return give_up(*best);
      // Where memory ends, another core of the same size may still agree.
      at_the_limit = !budget_.fits(core_shape(shape_, run_.rank, side * 3 / 2));
      if (!at_the_limit) side = side * 3 / 2;
    }
  }

  /// A much smaller core often suffices; one cheap start on it shows whether.
  bool scouted() {
    const Index side = std::max<Index>(30, 4 * Index{run_.rank});
    const Shape core = core_shape(shape_, run_.rank, side);
    const Shape usual = core_shape(shape_, run_.rank, options_.core);
    if (2 * core.entries() > usual.entries() || !budget_.fits(core)) return false;
    Rng rng(run_.seed, ~std::uint64_t{1});
    Sampled sampled = solve_core_of(core, {.rungs = 1}, rng);
    return sampled.solution.exact && certified_exact(extended(sampled, rng));
  }

  bool out_of_budget() const {
    return static_cast<double>(meter_.sampled()) >
           options_.max_read * static_cast<double>(shape_.entries());
  }

  void choose_rank_on_a_core() {
    Rng rng(run_.seed, ~std::uint64_t{0});
    run_.rank = steps_.take<int>("rank", rng, [&] { return rank_of_a_core(rng); });
  }

  int rank_of_a_core(Rng& rng) {
    stage_ = "choosing the rank";
    ask();
    const Shape extents = core_shape(shape_, 1, options_.core);
    budget_.require(extents);
    const DenseCore core = scaled_core(draw(extents, rng));
    const Index longest = *std::max_element(extents.begin(), extents.end());
    const Index most = std::max<Index>(1, std::min((longest - 10) / 2, largest_rank(extents)));
    return choose_rank(core, static_cast<int>(most), rng, monitor_).rank;
  }

  IndexSets draw(const Shape& core, Rng& rng) const {
    return draw_shared_indices(shape_, core, constraints_, rng);
  }

  Sampled solve_core_of(const Shape& extents, const CoreOptions& options, Rng& rng) {
    stage_ = fmt::format("core {}", to_string(extents));
    return steps_.take<Sampled>(stage_, rng,
                                [&] { return sample_and_solve(extents, options, rng); });
  }

  Sampled sample_and_solve(const Shape& extents, CoreOptions options, Rng& rng) {
    ask();
    Sampled sampled;
    sampled.sets = draw(extents, rng);
    const DenseCore core = scaled_core(sampled.sets);
    options.constraints = constraints_;
    options.ratio_rounding = ratio_rounding(Precision::f64);
    sampled.solution = solve_core(core, run_.rank, options, rng, monitor_);
    ask();
    record_core(stage_, sampled.solution, meter_, now_);
    return sampled;
  }

  DenseCore scaled_core(const IndexSets& sets) {
    DenseCore core = gather_core(engine_, sets);
    if (!core.complete() && core.observed.sum() == 0) refuse_if_all_missing();
    now_.scale = power_of_two_near(core.values.abs().maxCoeff());
    now_.mean_square = core.values.square().mean() / std::max(core.observed_share(), 1e-300);
    core.values /= now_.scale;
    return core;
  }

  Candidate extended(const Sampled& sampled, Rng& rng) {
    return steps_.take<Candidate>("extension", rng, [&] { return extended_now(sampled, rng); });
  }

  Candidate extended_now(const Sampled& sampled, Rng& rng) {
    return candidate(extend(engine_, sampled.sets, sampled.solution,
                            {.scale = now_.scale, .constraints = constraints_}, rng, monitor_),
                     sampled.solution);
  }

  /// In the unit of the data. Roots come first: the scale changes no digit.
  Candidate candidate(Factors factors, const CoreSolution& core) const {
    Candidate candidate{std::move(factors), core};
    if (shape_.order() == 2 && !constraints_.any()) use_singular_vectors(candidate.factors);
    candidate.factors.front() *= now_.scale;
    candidate.core.sigma *= now_.scale;
    candidate.core.spread *= now_.scale;
    return candidate;
  }

  void refuse_if_all_missing() {
    const CpModel nothing = CpModel::zero(shape_);
    require_observed(engine_.pass({.model = &nothing}).statistics.missing, shape_);
  }

  /// A success is not remembered, since S has to be found again.
  bool certified_exact(const Candidate& candidate) {
    return steps_.passes("rejection", [&] { return passes_verification(candidate); });
  }

  /// One read of T: S, and whether every slice is fitted to rounding.
  bool passes_verification(const Candidate& candidate) {
    now_.rejected = objection(candidate.factors, candidate.core);
    if (!now_.rejected.empty()) return false;
    Verification seen = look(candidate, rounding(candidate));
    Rng rng(run_.seed, ~std::uint64_t{2});
    now_.rejected = objection(engine_, candidate.factors, candidate.core, seen, rng, monitor_);
    if (!now_.rejected.empty()) return false;
    const std::optional<bool> further = shows_further_component(candidate, seen);
    if (further == true) {
      now_.rejected = further_component;
      return false;
    }
    keep(candidate, seen);
    result_.outcome = Outcome::converged;
    result_.certificate = certificate_of(candidate.factors, seen,
                                         {.rank = run_.rank, .chosen = chooses_rank_}, further);
    return true;
  }

  /// A core shows all components but those at work on few entries, of which it may have none. Of
  /// a rank that nobody asked for it is not known that these are all.
  bool has_room_for_others(const Candidate& candidate) const {
    return chooses_rank_ ||
           (components_of(candidate.factors) < run_.rank && (!whole_ || constraints_.any()));
  }

  /// Nothing if S is too long to tell.
  std::optional<bool> shows_further_component(const Candidate& candidate,
                                              const Verification& seen) const {
    if (!has_room_for_others(candidate)) return false;
    const std::optional<SparseTensor> outliers = survey_.few_outliers(seen);
    if (!outliers) return std::nullopt;
    return has_proportional_rows(*outliers, ratio_rounding(now_.precision));
  }

  double ratio_rounding(Precision precision) const {
    return std::max(1e-7, 40 * rounding_of(engine_.type(), precision));
  }

  /// Two fits, of cores of different size or from different random starts, that give the same L: a
  /// reason to stop, not a certificate.
  bool agree(const Candidate& a, const Candidate& b) const {
    return distance(a.factors, b.factors) < 0.3 * norm(b.factors);
  }

  /// By how much shorter T is described by the first, in nats for each entry.
  double gain_of(const Candidate& a, const Candidate& b) {
    const auto length = [&](const Candidate& candidate) {
      const ResidualSample left = residuals(candidate.factors);
      return description_length(left.magnitudes, left.largest);
    };
    return length(b) - length(a);
  }
  static constexpr double clear_gain = 0.05;

  /// Where nothing is exact, noise of many sizes can lead a robust fit astray (explanation.hpp).
  bool explained_better_by_less_robust_fit(const Candidate& robust, const Shape& extents,
                                           Rng& rng) {
    if (constraints_.shares() || !(norm(robust.factors) > 0)) return false;
    stage_ = "less robust fits";
    const auto plain = steps_.take<Sampled>(stage_, rng, [&] {
      ask();
      Sampled sampled;
      sampled.sets = draw(extents, rng);
      sampled.solution =
          best_explained_core(scaled_core(sampled.sets), run_.rank, rng, monitor_, constraints_);
      return sampled;
    });
    // On the whole of T nothing is left to extend, and a robust regression would undo the choice.
    const Candidate less_robust =
        whole_ ? candidate(plain.solution.factors, plain.solution) : extended(plain, rng);
    if (gain_of(less_robust, robust) < clear_gain) return false;
    finish_with_noise(less_robust);
    result_.certificate.explanation +=
        "; it was found by a less robust fit, which explains the data better";
    return true;
  }

  void finish_with_noise(Candidate candidate) {
    double sigma = residuals(candidate.factors).sigma();
    for (int k = 0; k < options_.polish_passes; ++k) {
      auto polished = steps_.take<Polished>("polishing", [&] {
        stage_ = "polishing";
        Polished now{robust::polished(engine_, candidate.factors,
                                      {.sigma = sigma,
                                       .scale = now_.scale,
                                       .precision = now_.precision,
                                       .constraints = constraints_},
                                      monitor_)};
        now.sigma = residuals(now.factors).sigma();
        return now;
      });
      candidate.factors = std::move(polished.factors);
      sigma = polished.sigma;
    }
    Verification seen =
        look(candidate, std::max(options_.noise_width * sigma, rounding(candidate)));
    keep(candidate, seen);
    result_.outcome = Outcome::converged;
    result_.certificate.explanation = fmt::format(
        "no model of rank {} fits the entries to rounding; what remains has a standard deviation "
        "of about {:.3g}, which may be noise, under which sunder gives no certificate, or the sign "
        "of a wrong rank; {} agree on L, which is no proof",
        run_.rank, sigma,
        whole_ ? "two fits from different random starts" : "two cores drawn independently");
  }

  void give_up(const Candidate& candidate) {
    const double sigma = residuals(candidate.factors).sigma();
    Verification seen =
        look(candidate, std::max(options_.noise_width * sigma, rounding(candidate)));
    keep(candidate, seen);
    if (may_be_out_of_range(norm(candidate.factors)) && is_zero()) return;
    result_.outcome = Outcome::stalled;
    result_.certificate.explanation = fmt::format(
        "no core gave a model that explains the data ({}); the rank may be too small or too large, "
        "or too much of the data may be corrupted: try another --rank{}",
        now_.rejected.empty() ? "they disagree" : now_.rejected,
        whole_              ? ""
        : budget_.limited() ? ", or a larger --core or --memory"
                            : ", or a larger --core");
  }

  /// One more pass, in a case that has no other use for it. Refuses what is too small or too large
  /// to be squared.
  bool is_zero() {
    const CpModel nothing = CpModel::zero(shape_);
    const PassResult seen = engine_.pass({.model = &nothing, .data_statistics = true});
    require_range(seen.statistics.data_max);
    if (seen.statistics.data_max > 0) return false;
    result_.outcome = Outcome::converged;
    const bool complete = seen.statistics.missing == 0;
    result_.certificate.level = complete ? Certified::exact : Certified::none;
    result_.certificate.explanation =
        complete ? "every entry is zero, and so is L"
                 : "every entry that is not missing is zero, and so is L, but of the others "
                   "nothing is known";
    return true;
  }

  ResidualSample residuals(const Factors& factors) {
    return sample_residuals(engine_, factors, run_.seed);
  }

  /// Above what rounding alone can leave.
  double rounding(const Candidate& candidate) const {
    const double unit = rounding_of(engine_.type(), now_.precision);
    return candidate.core.spread * std::max(rounding_level, 40 * std::sqrt(run_.rank + 1.0) * unit);
  }

  Verification look(const Candidate& candidate, double level) {
    stage_ = "looking for S";
    return survey_.look(candidate.factors, level, has_room_for_others(candidate));
  }

  void keep(const Candidate& candidate, Verification& seen) {
    CpModel model(Vector::Ones(run_.rank), candidate.factors);
    model.normalise();
    model.sort_by_weight();
    result_.low_rank = std::move(model);
    result_.sparse = std::move(seen.sparse);
    result_.sparse_count = seen.statistics.rejected;
    const bool listed = survey_.collects() && engine_.communicator().size() == 1;
    result_.sparse_norm =
        listed ? result_.sparse.norm() : std::sqrt(seen.statistics.rejected_square_sum);
    result_.missing_count = seen.statistics.missing;
    record_survey(seen, meter_, now_);
  }

  Continue say(std::string_view what) const {
    return report(run_.progress, {.stage = what, .fraction = -1, .pass = meter_.passes()});
  }
  void ask() const {
    engine_.communicator().together([&] {
      if (say(stage_) == Continue::cancel) throw Cancelled();
    });
  }

  Shape shape_;
  RunOptions run_;
  const bool chooses_rank_ = run_.rank == 0;  ///< nobody asked for one
  RobustCpOptions options_;
  ModeConstraints constraints_;
  Standing now_;
  Engine engine_;
  Monitor monitor_;
  Meter meter_;
  Steps steps_;
  Survey survey_;
  CoreBudget budget_{0};
  Decomposition result_;
  std::string stage_;
  bool whole_ = false;  ///< the core is all of T
};

Decomposition checked_run(std::shared_ptr<Source> source, const RunOptions& run,
                          const RobustCpOptions& options) {
  const Shape& shape = source->shape();
  require_decomposable(shape);
  if (run.rank != 0) require_rank(run.rank, shape);
  require_option(options.core >= 10, "core", "at least 10", options.core);
  require_option(options.max_read > 0, "max-read", "positive", options.max_read);
  require_option(options.polish_passes >= 0, "polish-passes", "0 or more", options.polish_passes);
  require_option(options.noise_width > 0, "noise-width", "positive", options.noise_width);
  return RobustCp(std::move(source), run, options).solve();
}

}  // namespace

Decomposition robust_cp(const TensorView& tensor, const RunOptions& run,
                        const RobustCpOptions& options) {
  return checked_run(std::make_shared<MemorySource>(tensor), run, options);
}

Decomposition robust_cp(const StoredTensor& tensor, const RunOptions& run,
                        const RobustCpOptions& options) {
  return checked_run(
      std::make_shared<ReaderSource>(tensor.reader, tensor.layout, tensor.window_entries), run,
      options);
}

}  // namespace sunder
