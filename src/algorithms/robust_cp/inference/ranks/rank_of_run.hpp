#pragma once
/// The rank of a run that was not given one.

#include "algorithms/robust_cp/inference/ranks/rank_study.hpp"
#include "algorithms/robust_cp/run_context.hpp"

namespace sunder::robust {

/// The smallest rank that fits a core to rounding, if there is one; under noise the recommendation
/// of the study. The records are empty where there is no noise. The answer is a step of the
/// journal.
RankStudy choose_rank_of(RunContext& context);

/// The study itself, with all figures, whether there is noise or not. `most`: 0 if it is not given.
RankStudy study_ranks_of(RunContext& context, int most);

}  // namespace sunder::robust
