#pragma once
/// The steps of a run, which a journal remembers: their answers, and what they leave behind.

#include <string>
#include <vector>

#include "algorithms/robust_cp/consensus/search_report.hpp"
#include "algorithms/robust_cp/core/core_solver.hpp"
#include "algorithms/robust_cp/core/sampling.hpp"
#include "algorithms/run/recorded_steps.hpp"
#include "engine/pass/pass.hpp"
#include "sunder/algorithms/decomposition.hpp"

namespace sunder::robust {

struct Sampled {
  IndexSets sets;
  CoreSolution solution;
};
template <class Archive>
void describe(Archive& archive, Sampled& sampled) {
  archive(sampled.sets);
  archive(sampled.solution);
}

struct Candidate {
  Factors factors;
  CoreSolution core;
};
template <class Archive>
void describe(Archive& archive, Candidate& candidate) {
  archive(candidate.factors);
  archive(candidate.core);
}

struct Polished {
  Factors factors;
  double sigma = 0;
};
template <class Archive>
void describe(Archive& archive, Polished& polished) {
  archive(polished.factors);
  archive(polished.sigma);
}

/// The state of a run: what later steps depend on besides the answers of earlier ones.
struct RunState {
  double scale = 1;                      ///< of the core: the solver sees T / scale
  double mean_square = 0;                ///< of the entries of the core
  Precision precision = Precision::f64;  ///< of the passes over T
  std::string rejection;                 ///< why the last candidate was rejected, for the user
  std::vector<TraceRecord> trace;
};
template <class Archive>
void describe(Archive& archive, RunState& state) {
  archive(state.scale);
  archive(state.mean_square);
  archive(state.precision);
  archive(state.rejection);
  archive(state.trace);
}

using Meter = EffortMeter;
using Steps = RecordedSteps<RunState>;

}  // namespace sunder::robust
