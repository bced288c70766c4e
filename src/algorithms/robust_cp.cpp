// The nested scheme, as in docs/methods/robust-cp.md:
//   C      a core: T on random index sets       F      factors of the model, extended to all of T
//   sigma  standard deviation of the inliers    unit   spread of the core, the unit of tolerances
#include "sunder/algorithms/robust_cp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "algorithms/cp_als.hpp"
#include "algorithms/mode_constraints.hpp"
#include "algorithms/robust_cp/constrained_fit.hpp"
#include "algorithms/robust_cp/core_solver.hpp"
#include "algorithms/robust_cp/directions.hpp"
#include "algorithms/robust_cp/explanation.hpp"
#include "algorithms/robust_cp/extension.hpp"
#include "algorithms/robust_cp/gauss_newton.hpp"
#include "algorithms/robust_cp/rank_choice.hpp"
#include "algorithms/robust_cp/sampling.hpp"
#include "algorithms/robust_cp/steps.hpp"
#include "algorithms/robust_cp/verification.hpp"
#include "algorithms/validation.hpp"
#include "core/stopwatch.hpp"
#include "engine/engine.hpp"
#include "engine/reader_source.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

using namespace robust;

/// The solver works on numbers near one, whatever the unit of the data; a power of two changes no
/// digit.
double power_of_two_near(double x) {
  return x > 0 ? std::ldexp(1.0, std::clamp(std::ilogb(x), -1000, 1000)) : 1;
}

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

/// Those that are more than rounding.
Index components_of(const Factors& factors) {
  Eigen::ArrayXd norms = Eigen::ArrayXd::Ones(factors.front().cols());
  for (const Matrix& factor : factors) norms *= factor.colwise().norm().transpose().array();
  return (norms > 1e-10 * norms.maxCoeff()).count();
}

/// What the solver of a core has in memory at a time, in bytes: about fourteen copies of it.
std::int64_t core_memory(const Shape& core) {
  return 14 * static_cast<std::int64_t>(sizeof(double)) * core.entries();
}

class RobustCp {
 public:
  RobustCp(std::shared_ptr<Source> source, const RunOptions& run, const RobustCpOptions& options)
      : shape_(source->shape()),
        in_order_(finds_in_order(source->layout())),
        run_(run),
        options_(options),
        constraints_(constraints_of(options, shape_), shape_),
        engine_(std::move(source), communicator_of(run), run.threads,
                [this] { return say(stage_); }),
        monitor_([this] { ask(); }),
        journal_(run.state_keeper, engine_.communicator()) {
    result_.low_rank = CpModel::zero(shape_);
    const ScalarType type = engine_.type();
    if (type != ScalarType::f64 && type != ScalarType::i32) precision_ = Precision::f32;
  }

  Decomposition solve() {
    try {
      nested();
    } catch (const Cancelled&) {
      result_.outcome = Outcome::cancelled;
      journal_.keep_now();
    }
    const Effort effort = so_far();
    result_.passes = effort.passes;
    result_.entries_sampled = effort.sampled;
    result_.bytes_read = effort.bytes;
    result_.flops = effort.flops;
    result_.seconds = effort.seconds;
    return std::move(result_);
  }

 private:
  void nested() {
    run_.memory = step<std::int64_t>("memory", unused_, [&] { return run_.memory; });
    if (run_.rank == 0) choose_rank_on_a_core();
    if (scouted()) return;
    Index side = options_.core;
    std::optional<Candidate> before;
    bool at_the_limit = false;
    for (int attempt = 1, on_whole = 0;; ++attempt) {
      const Shape core = core_shape(shape_, run_.rank, side);
      require_fitting(core);
      whole_ = core == shape_;
      on_whole += whole_ ? 1 : 0;
      Rng rng(run_.seed, static_cast<std::uint64_t>(attempt));
      Sampled sampled = solve_core_of(core, {.until_noise = attempt <= 2}, rng);
      Candidate now = extended(sampled, rng);
      if (now.core.exact && certified_exact(now)) return;
      const bool agreed = before && !now.core.exact && agree(*before, now);
      const bool last = on_whole == 2 || (attempt >= 2 && out_of_budget());
      if ((agreed || last) && explained_better_by_less_robust_fit(now, core, rng)) return;
      if (agreed) return finish_with_noise(now);
      before = std::move(now);
      if (last || at_the_limit) return give_up(*before);
      // Where memory ends, another core of the same size may still agree.
      at_the_limit = !fits(core_shape(shape_, run_.rank, side * 3 / 2));
      if (!at_the_limit) side = side * 3 / 2;
    }
  }

  /// A much smaller core often suffices; one cheap start on it shows whether.
  bool scouted() {
    const Index side = std::max<Index>(30, 4 * Index{run_.rank});
    const Shape core = core_shape(shape_, run_.rank, side);
    const Shape usual = core_shape(shape_, run_.rank, options_.core);
    if (2 * core.entries() > usual.entries() || !fits(core)) return false;
    Rng rng(run_.seed, ~std::uint64_t{1});
    Sampled sampled = solve_core_of(core, {.rungs = 1}, rng);
    return sampled.solution.exact && certified_exact(extended(sampled, rng));
  }

  bool fits(const Shape& core) const {
    return run_.memory == 0 || core_memory(core) <= run_.memory;
  }
  void require_fitting(const Shape& core) const {
    if (fits(core)) return;
    constexpr double mebibyte = 1 << 20;
    throw InputError(fmt::format(
        "a core of {} needs about {:.0f} MiB, and {:.0f} MiB are left for it: give more --memory, "
        "or a smaller --core",
        to_string(core), static_cast<double>(core_memory(core)) / mebibyte,
        static_cast<double>(run_.memory) / mebibyte));
  }

  bool out_of_budget() const {
    return static_cast<double>(sampled()) >
           options_.max_read * static_cast<double>(shape_.entries());
  }

  Index sampled() const {
    return earlier_.sampled + engine_.gathered_entries() - recalled_.sampled;
  }
  int passes() const { return earlier_.passes + engine_.passes() - recalled_.passes; }
  double flops() const { return earlier_.flops + monitor_.flops() + pass_flops_ - recalled_.flops; }
  double seconds() const { return earlier_.seconds + clock_.seconds() - recalled_.seconds; }
  /// All processes ask together.
  Effort in_this_run() const {
    return {engine_.passes(), engine_.gathered_entries(), engine_.bytes_read(),
            monitor_.flops() + pass_flops_, clock_.seconds()};
  }
  Effort so_far() const { return earlier_ + in_this_run() - recalled_; }

  /// Does a step, unless an earlier run has done it. `rng` is that of the step.
  template <class Answer, class Work>
  Answer step(const std::string& name, Rng& rng, const Work& work) {
    if (std::optional<Answer> known = recalled<Answer>(name, rng)) return *std::move(known);
    Answer answer = work();
    note(name, rng, answer);
    return answer;
  }

  template <class Answer>
  std::optional<Answer> recalled(const std::string& name, Rng& rng) {
    std::optional<Step<Answer>> step = journal_.recall<Step<Answer>>(name);
    if (!step) return std::nullopt;
    Trail& trail = step->trail;
    rng = trail.rng;
    scale_ = trail.scale;
    mean_square_ = trail.mean_square;
    precision_ = trail.precision;
    rejected_ = std::move(trail.rejected);
    result_.trace = std::move(trail.trace);
    earlier_ = trail.effort;
    recalled_ = in_this_run();
    return std::move(step->answer);
  }

  template <class Answer>
  void note(const std::string& name, const Rng& rng, const Answer& answer) {
    if (run_.state_keeper == nullptr) return;
    Step<Answer> step{answer,
                      {rng, scale_, mean_square_, precision_, so_far(), rejected_, result_.trace}};
    journal_.note(name, step);
  }

  void choose_rank_on_a_core() {
    Rng rng(run_.seed, ~std::uint64_t{0});
    run_.rank = step<int>("rank", rng, [&] { return rank_of_a_core(rng); });
  }

  int rank_of_a_core(Rng& rng) {
    stage_ = "choosing the rank";
    ask();
    const Shape extents = core_shape(shape_, 1, options_.core);
    require_fitting(extents);
    DenseCore core = gather_core(engine_, draw(extents, rng));
    if (!core.complete() && core.observed.sum() == 0) refuse_if_all_missing();
    core.values /= power_of_two_near(core.values.abs().maxCoeff());
    const Index longest = *std::max_element(extents.begin(), extents.end());
    const Index most = std::max<Index>(1, std::min((longest - 10) / 2, largest_rank(extents)));
    return choose_rank(core, static_cast<int>(most), rng, monitor_).rank;
  }

  IndexSets draw(const Shape& core, Rng& rng) const {
    return draw_shared_indices(shape_, core, constraints_, rng);
  }

  Sampled solve_core_of(const Shape& extents, const CoreOptions& options, Rng& rng) {
    stage_ = fmt::format("core {}", to_string(extents));
    return step<Sampled>(stage_, rng, [&] { return sample_and_solve(extents, options, rng); });
  }

  Sampled sample_and_solve(const Shape& extents, CoreOptions options, Rng& rng) {
    ask();
    Sampled sampled;
    sampled.sets = draw(extents, rng);
    DenseCore core = gather_core(engine_, sampled.sets);
    scale_ = power_of_two_near(core.values.abs().maxCoeff());
    mean_square_ = core.values.square().mean() / std::max(core.observed_share(), 1e-300);
    core.values /= scale_;
    if (!core.complete() && core.observed.sum() == 0) refuse_if_all_missing();
    options.constraints = constraints_;
    sampled.solution = solve_core(core, run_.rank, options, rng, monitor_);
    ask();
    record(sampled.solution);
    return sampled;
  }

  Candidate extended(const Sampled& sampled, Rng& rng) {
    return step<Candidate>("extension", rng, [&] { return extended_now(sampled, rng); });
  }

  Candidate extended_now(const Sampled& sampled, Rng& rng) {
    Candidate candidate{extend(engine_, sampled.sets, sampled.solution,
                               {.scale = scale_, .constraints = constraints_}, rng, monitor_),
                        sampled.solution};
    give_units(candidate);
    return candidate;
  }

  /// From the solver's numbers to those of T. Roots come first: the scale changes no digit.
  void give_units(Candidate& candidate) const {
    if (shape_.order() == 2 && !constraints_.any()) use_singular_vectors(candidate.factors);
    candidate.factors.front() *= scale_;
    candidate.core.sigma *= scale_;
    candidate.core.spread *= scale_;
  }

  /// Without this, components of a matrix could cancel each other.
  static void use_singular_vectors(Factors& factors) {
    const CpModel svd =
        with_singular_vectors(CpModel(Vector::Ones(factors.front().cols()), factors));
    Vector root = svd.weights().cwiseSqrt();
    for (double& s : root) {
      if (s < 1e-7 * root[0]) s = 0;  // its square: rounding
    }
    for (int mode = 0; mode < 2; ++mode) {
      factors[static_cast<std::size_t>(mode)] = svd.factor(mode) * root.asDiagonal();
    }
  }

  void refuse_if_all_missing() {
    const CpModel nothing = CpModel::zero(shape_);
    if (engine_.pass({.model = &nothing}).statistics.observed() == 0) {
      throw InputError("every entry of the tensor is NaN (missing): there is nothing to decompose");
    }
  }

  /// A failure is remembered; a success is not, since S has to be found again.
  bool certified_exact(const Candidate& candidate) {
    const std::string name = "rejection";
    if (recalled<bool>(name, unused_)) return false;
    if (passes_verification(candidate)) return true;
    note(name, unused_, true);
    return false;
  }

  /// One read of T: S, and whether every slice is fitted to rounding.
  bool passes_verification(const Candidate& candidate) {
    if (!(norm(candidate.factors) > 0)) {  // no entry could speak against it
      rejected_ = "no component was supported by enough entries";
      return false;
    }
    if (!candidate.core.determined) {
      rejected_ = "its components are not determined; the rank may be above the true one";
      return false;
    }
    if (!candidate.core.whole) {
      rejected_ = "a further component shows in what is left, on too few entries to be sure of it";
      return false;
    }
    if (components_of(candidate.factors) < components_of(candidate.core.factors)) {
      rejected_ = "a component of the core was lost on the way to the whole tensor";
      return false;
    }
    Verification seen = look(candidate, rounding(candidate));
    if (seen.bad_slices > 0) {
      rejected_ = fmt::format("{} slices were not fitted", seen.bad_slices);
      return false;
    }
    // Modes that share a factor make copies themselves.
    const double needed = candidate.core.evidence_needed;
    const bool by_accident = needed > (constraints_.shares() ? 2 : 1);
    const double share = (by_accident ? needed : 1) * static_cast<double>(seen.statistics.kept) /
                         static_cast<double>(seen.statistics.observed());
    Rng rng(run_.seed, ~std::uint64_t{2});
    const ComponentEvidence components =
        examine_components(engine_, candidate.factors, rounding(candidate), share, rng);
    if (components.bad > 0) {
      rejected_ = fmt::format("{} components are not borne out by the entries", components.bad);
      return false;
    }
    if (by_accident || components_can_mix(candidate.factors) || have_zeros(candidate.factors)) {
      const int bad =
          examine_directions(engine_, candidate.factors, rounding(candidate), share, rng).bad;
      if (bad > 0) {
        rejected_ = fmt::format("{} rows of the factors are not determined by the entries", bad);
        return false;
      }
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

  /// Residuals at entries drawn at random.
  struct Drawn {
    std::vector<double> magnitudes;
    double largest = 0;  ///< of the data
  };
  Drawn drawn_residuals(const Factors& factors) {
    constexpr Index wanted = 50'000;
    const CpModel model(Vector::Ones(run_.rank), factors);
    Rng rng(run_.seed, 0);
    std::vector<ModeIndices> places(static_cast<std::size_t>(wanted));
    for (ModeIndices& index : places) {
      index = shape_.unravel(
          static_cast<Index>(rng.below(static_cast<std::uint64_t>(shape_.entries()))));
    }
    const std::vector<double> entries = engine_.gather_entries(places);
    Drawn drawn;
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (std::isnan(entries[k])) continue;
      const std::span<const Index> at(places[k].data(), static_cast<std::size_t>(shape_.order()));
      drawn.magnitudes.push_back(std::abs(entries[k] - model.entry(at)));
      drawn.largest = std::max(drawn.largest, std::abs(entries[k]));
    }
    return drawn;
  }

  /// Where nothing is exact, noise of many sizes can lead a robust fit astray (explanation.hpp).
  bool explained_better_by_less_robust_fit(const Candidate& robust, const Shape& extents,
                                           Rng& rng) {
    if (constraints_.shares() || !(norm(robust.factors) > 0)) return false;
    stage_ = "less robust fits";
    const Sampled plain = step<Sampled>(stage_, rng, [&] {
      ask();
      Sampled sampled;
      sampled.sets = draw(extents, rng);
      DenseCore core = gather_core(engine_, sampled.sets);
      scale_ = power_of_two_near(core.values.abs().maxCoeff());
      core.values /= scale_;
      sampled.solution = best_explained_core(core, run_.rank, rng, monitor_, constraints_);
      return sampled;
    });
    Candidate candidate{plain.solution.factors, plain.solution};
    if (whole_) {  // nothing to extend, and a robust regression would undo the choice
      give_units(candidate);
    } else {
      candidate = extended(plain, rng);
    }
    const Drawn now = drawn_residuals(candidate.factors);
    const Drawn before = drawn_residuals(robust.factors);
    constexpr double clearly = 0.05;  // nats for each entry
    if (description_length(now.magnitudes, now.largest) >
        description_length(before.magnitudes, before.largest) - clearly) {
      return false;
    }
    finish_with_noise(candidate);
    result_.certificate.explanation +=
        "; it was found by a less robust fit, which explains the data better";
    return true;
  }

  void finish_with_noise(Candidate candidate) {
    double sigma = sampled_sigma(candidate.factors);
    for (int k = 0; k < options_.polish_passes; ++k) {
      Polished polished = step<Polished>("polishing", unused_, [&] {
        Polished now{candidate.factors, 0};
        now.sigma = polish(now.factors, sigma);
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
        "of "
        "about {:.3g}, which may be noise, under which sunder gives no certificate, or the sign of "
        "a "
        "wrong rank; {} agree on L, which is no proof",
        run_.rank, sigma,
        whole_ ? "two fits from different random starts" : "two cores drawn independently");
  }

  void give_up(const Candidate& candidate) {
    const double sigma = sampled_sigma(candidate.factors);
    Verification seen =
        look(candidate, std::max(options_.noise_width * sigma, rounding(candidate)));
    keep(candidate, seen);
    if (seen.statistics.rejected == 0 && seen.statistics.kept_square_sum == 0 && is_zero()) return;
    result_.outcome = Outcome::stalled;
    result_.certificate.explanation = fmt::format(
        "no core gave a model that explains the data ({}); the rank may be too small or too large, "
        "or too much of the data may be corrupted: try another --rank{}",
        rejected_.empty() ? "they disagree" : rejected_,
        whole_            ? ""
        : run_.memory > 0 ? ", or a larger --core or --memory"
                          : ", or a larger --core");
  }

  /// One more pass, in a case that has no other use for it.
  bool is_zero() {
    const CpModel nothing = CpModel::zero(shape_);
    if (engine_.pass({.model = &nothing, .data_statistics = true}).statistics.data_max > 0) {
      return false;
    }
    result_.outcome = Outcome::converged;
    result_.certificate.level = Certified::exact;
    result_.certificate.explanation = "every entry that is not missing is zero, and so is L";
    return true;
  }

  /// Least squares on the inliers by one Gauss-Newton step over all of T: one pass.
  double polish(Factors& factors, double sigma) {
    stage_ = "polishing";
    factors.front() /= scale_;  // whose root would change digits
    balance(factors);
    const CpModel model(Vector::Constant(run_.rank, scale_), factors);
    PassResult seen = engine_.pass({.model = &model,
                                    .rule = Rule::hard_threshold(3 * sigma),
                                    .modes = all_modes(shape_.order()),
                                    .precision = precision_});
    pass_flops_ += 6.0 * static_cast<double>(shape_.entries()) * run_.rank;
    const auto observed = static_cast<double>(seen.statistics.observed());
    // A threshold at 3 sigma removes 2.7% of the curvature of the truncated loss.
    const double omega =
        std::max(0.973 * static_cast<double>(seen.statistics.kept) / observed, 0.1) * observed /
        static_cast<double>(shape_.entries());
    for (Matrix& g : seen.mttkrp) g /= omega * scale_;
    const Factors free = constraints_.free_entries(factors, seen.mttkrp);
    const Factors delta = gauss_newton_step(
        factors, seen.mttkrp, {.damping = 1e-6, .max_steps = 40, .tolerance = 1e-4}, &free);
    for (std::size_t m = 0; m < factors.size(); ++m) factors[m] += delta[m];
    impose(constraints_, factors);
    factors.front() *= scale_;
    return sampled_sigma(factors);
  }

  /// Standard deviation of the inliers, from entries drawn at random.
  double sampled_sigma(const Factors& factors) {
    return inlier_sigma(drawn_residuals(factors).magnitudes);
  }

  /// Above what rounding alone can leave.
  double rounding(const Candidate& candidate) const {
    const double unit = rounding_of(engine_.type(), precision_);
    return candidate.core.spread * std::max(rounding_level, 40 * std::sqrt(run_.rank + 1.0) * unit);
  }

  Verification look(const Candidate& candidate, double level) {
    stage_ = "looking for S";
    const auto once = [&] {
      pass_flops_ += 2.0 * static_cast<double>(shape_.entries()) * run_.rank;
      return verify(engine_, candidate.factors,
                    {.level = level,
                     .precision = precision_,
                     .collect_sparse = run_.collect_sparse,
                     .sparse_sink = fresh_sink()});
    };
    Verification seen = once();
    const bool overflow = !std::isfinite(seen.statistics.rejected_square_sum);
    if (overflow && precision_ == Precision::f32) {
      precision_ = Precision::f64;
      seen = once();
    }
    if (seen.statistics.observed() == 0) {
      throw InputError("every entry of the tensor is NaN (missing): there is nothing to decompose");
    }
    return seen;
  }

  /// Where S goes from its first entry on; empty if it goes nowhere.
  SparseSink fresh_sink() const {
    SparseReceiver* receiver = run_.sparse_receiver;
    if (receiver == nullptr) return {};
    receiver->begin(shape_, in_order_);
    return [receiver](auto positions, auto values) { receiver->add(positions, values); };
  }

  void keep(const Candidate& candidate, Verification& seen) {
    CpModel model(Vector::Ones(run_.rank), candidate.factors);
    model.normalise();
    model.sort_by_weight();
    result_.low_rank = std::move(model);
    result_.sparse = std::move(seen.sparse);
    result_.sparse_count = seen.statistics.rejected;
    const bool listed = run_.collect_sparse && run_.sparse_receiver == nullptr &&
                        (run_.communicator == nullptr || run_.communicator->size() == 1);
    result_.sparse_norm =
        listed ? result_.sparse.norm() : std::sqrt(seen.statistics.rejected_square_sum);
    result_.missing_count = seen.statistics.missing;
    if (result_.trace.empty()) return;
    TraceRecord& last = result_.trace.back();
    last.pass = passes();
    last.threshold = seen.level;
    last.entries_sampled = sampled();
    last.flops = flops();
    last.seconds = seconds();
    const auto observed = static_cast<double>(seen.statistics.observed());
    const double size = std::sqrt(observed * mean_square_);
    last.kept_residual = size > 0 ? std::sqrt(seen.statistics.kept_square_sum) / size : 0;
    last.sparse_fraction = static_cast<double>(seen.statistics.rejected) / observed;
  }

  void record(const CoreSolution& core) {
    TraceRecord line;
    line.pass = passes();
    line.stage =
        fmt::format("{}, {} {}, {}", stage_, core.starts, core.starts == 1 ? "start" : "starts",
                    core.exact ? "exact" : "not exact");
    line.threshold = core.sigma * scale_;
    line.sparse_fraction = 1 - core.exact_share;
    line.seconds = seconds();
    line.entries_sampled = sampled();
    line.flops = flops();
    result_.trace.push_back(std::move(line));
  }

  Continue say(std::string_view what) const {
    return report(run_.progress, {.stage = what, .fraction = -1, .pass = passes()});
  }
  void ask() const {
    engine_.communicator().together([&] {
      if (say(stage_) == Continue::cancel) throw Cancelled();
    });
  }

  Shape shape_;
  bool in_order_;  ///< a pass finds S in order
  RunOptions run_;
  RobustCpOptions options_;
  ModeConstraints constraints_;
  Stopwatch clock_;
  Engine engine_;
  Monitor monitor_;
  Journal journal_;
  Effort earlier_;   ///< of the runs before this one, up to the last step that was recalled
  Effort recalled_;  ///< of this run when that was recalled: done twice, counted once
  Rng unused_{0};    ///< of steps in which nothing is random
  Decomposition result_;
  std::string stage_;
  std::string rejected_;
  bool whole_ = false;                    ///< the core is all of T
  double scale_ = 1;                      ///< of the core: the solver sees T / scale
  double mean_square_ = 0;                ///< of the entries of the core
  Precision precision_ = Precision::f64;  ///< of the passes over T
  double pass_flops_ = 0;
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
