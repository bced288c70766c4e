#include "algorithms/robust_cp/inference/ranks/rank_of_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/candidate.hpp"
#include "algorithms/robust_cp/core/rank_choice.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/inference.hpp"
#include "algorithms/robust_cp/noise/atoms.hpp"
#include "algorithms/robust_cp/noise/part.hpp"
#include "algorithms/run/validation.hpp"
#include "sunder/algorithms/ranks.hpp"

namespace sunder::robust {

namespace limits = levels::inference;

namespace {

struct Drawn {
  DenseCore core;  ///< for a model without noise
  DenseCore part;  ///< for the study, smaller
};

Drawn draw(RunContext& context, Rng& rng) {
  const Shape extents = core_shape(context.shape, 1, context.options.core);
  context.budget.require(extents);
  Drawn drawn;
  drawn.core = scaled_core(context, draw_core(context, extents, rng));
  const Shape small = core_shape(drawn.core.shape, 1, limits::core_side);
  Atoms atoms = find_atoms(drawn.core);
  atoms.zeros = false;  // whether these are lost entries is seen once there is a fit
  drawn.part = without_ends(with_atoms(drawn.core, atoms));
  if (context.constraints.shares()) return drawn;
  drawn.part = part_of(drawn.part, draw_part(drawn.part, small, rng));
  return drawn;
}

/// Each row of the core has more entries than unknowns, even in a mode as short as the longest.
int told_apart(const Shape& shape) {
  const Index longest = *std::max_element(shape.begin(), shape.end());
  const Index most = (longest - levels::sampling::extent_beyond) /
                     std::max<Index>(levels::sampling::extent_per_component, 1);
  return static_cast<int>(std::max<Index>(1, std::min(most, largest_rank(shape))));
}

/// Whether a model of few components fits the part to rounding: then there is no noise to study.
bool is_exact(const DenseCore& part, int most, Rng& rng, Monitor& monitor) {
  for (int rank = 1; rank <= std::min(most, limits::exact_trial); rank *= 2) {
    const CoreSolution solution =
        solve_core(part, rank, {.reduce = false, .rungs = 1, .until_noise = true}, rng, monitor);
    if (solution.exact) return true;
    if (solution.noise_like) return false;
  }
  return false;
}

StudiedRanks study(RunContext& context, const DenseCore& part, int most, bool all, Rng& rng) {
  const RankStudyOptions options{.constraints = context.constraints,
                                 .most = std::min(most, limits::most_rank),
                                 .all = all,
                                 .nats_of_unit = std::log(context.state.scale)};
  return study_ranks(part, options, rng, context.monitor);
}

RankStudy exact_rank(int rank) {
  RankStudy study;
  study.recommended = rank;
  study.reason = fmt::format("A model of {} component{} fits a part of the data to rounding.", rank,
                             rank == 1 ? "" : "s");
  return study;
}

}  // namespace

RankStudy choose_rank_of(RunContext& context) {
  Rng rng(context.run.seed, ~std::uint64_t{0});
  context.stage = "choosing the rank";
  return context.steps.take<RankStudy>("rank", rng, [&] {
    context.report_progress();
    const Drawn drawn = draw(context, rng);
    const int most = told_apart(drawn.core.shape);
    if (is_exact(drawn.part, most, rng, context.monitor)) {
      const RankChoice choice = choose_rank(drawn.core, most, rng, context.monitor);
      if (choice.exact) return exact_rank(choice.rank);
    }
    const StudiedRanks studied = study(context, drawn.part, most, false, rng);
    const bool may_be_exact = !studied.is_bounded || studied.noise < limits::exact_noise;
    if (!may_be_exact) return studied.study;
    const int bound = std::min(most, limits::exact_reach * studied.study.recommended);
    const RankChoice choice = choose_rank(drawn.core, bound, rng, context.monitor);
    return choice.exact ? exact_rank(choice.rank) : studied.study;
  });
}

RankStudy study_ranks_of(RunContext& context, int most) {
  Rng rng(context.run.seed, ~std::uint64_t{0});
  context.stage = "studying ranks";
  context.report_progress();
  const Drawn drawn = draw(context, rng);
  const int bound = most > 0 ? most : told_apart(drawn.core.shape);
  RankStudy studied = study(context, drawn.part, bound, true, rng).study;
  if (!is_exact(drawn.part, bound, rng, context.monitor)) return studied;
  const RankChoice choice = choose_rank(drawn.part, bound, rng, context.monitor);
  if (!choice.exact) return studied;
  RankStudy exact = exact_rank(choice.rank);
  exact.records = std::move(studied.records);
  return exact;
}

}  // namespace sunder::robust

namespace sunder {

namespace {

RankStudy study_of(std::shared_ptr<Source> source, const RunOptions& run,
                   const RobustCpOptions& options) {
  require_decomposable(source->shape());
  if (run.rank != 0) require_rank(run.rank, source->shape());
  RunOptions quiet = run;
  quiet.collect_sparse = false;
  quiet.sparse_receiver = nullptr;
  RankStudy study;
  robust::RunContext context(std::move(source), quiet, options);
  const Decomposition done = context.frame.solve(
      [&] {
        context.budget = robust::CoreBudget(run.memory);
        study = robust::study_ranks_of(context, run.rank);
      },
      [] {});
  study.seconds = done.seconds;
  return study;
}

}  // namespace

RankStudy rank_study(const TensorView& tensor, const RunOptions& run,
                     const RobustCpOptions& options) {
  return study_of(source_of(tensor), run, options);
}

RankStudy rank_study(const StoredTensor& tensor, const RunOptions& run,
                     const RobustCpOptions& options) {
  return study_of(source_of(tensor), run, options);
}

}  // namespace sunder
