#pragma once
/// The steps of a run, which a journal remembers: their answers, and what they leave behind.

#include <string>
#include <utility>
#include <vector>

#include "algorithms/robust_cp/core/core_solver.hpp"
#include "algorithms/robust_cp/core/sampling.hpp"
#include "algorithms/robust_cp/journal.hpp"
#include "algorithms/robust_cp/meter.hpp"
#include "engine/pass/pass.hpp"
#include "sunder/algorithms/decomposition.hpp"
#include "sunder/core/rng.hpp"

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

template <class Answer>
struct Step {
  Answer answer{};
  Rng rng{0};
  RunState state;
  Effort effort;
};
template <class Archive, class Answer>
void describe(Archive& archive, Step<Answer>& step) {
  archive(step.answer);
  archive(step.rng);
  archive(step.state);
  archive(step.effort);
}

class Steps {
 public:
  /// `keeper` may be null. The others outlive the steps.
  Steps(StateKeeper* keeper, const Communicator& communicator, RunState& now, Meter& meter)
      : remembers_(keeper != nullptr), journal_(keeper, communicator), now_(now), meter_(meter) {}

  /// Does a step, unless an earlier run has done it. `rng` is what the step draws from.
  template <class Answer, class Work>
  Answer take(const std::string& name, Rng& rng, const Work& work) {
    if (std::optional<Answer> known = recalled<Answer>(name, rng)) return *std::move(known);
    Answer answer = work();
    note(name, rng, answer);
    return answer;
  }
  /// A step in which nothing is random.
  template <class Answer, class Work>
  Answer take(const std::string& name, const Work& work) {
    return take<Answer>(name, unused_, work);
  }

  /// A test of which only a failure is remembered: after a success the work must be done again.
  template <class Test>
  bool passes(const std::string& name, const Test& test) {
    if (recalled<bool>(name, unused_)) return false;
    if (test()) return true;
    note(name, unused_, true);
    return false;
  }

  void keep_now() { journal_.keep_now(); }

 private:
  template <class Answer>
  std::optional<Answer> recalled(const std::string& name, Rng& rng) {
    std::optional<Step<Answer>> step = journal_.recall<Step<Answer>>(name);
    if (!step) return std::nullopt;
    rng = step->rng;
    now_ = std::move(step->state);
    meter_.go_on_from(step->effort);
    return std::move(step->answer);
  }

  template <class Answer>
  void note(const std::string& name, const Rng& rng, const Answer& answer) {
    if (!remembers_) return;
    Step<Answer> step{answer, rng, now_, meter_.so_far()};
    journal_.note(name, step);
  }

  bool remembers_;
  Journal journal_;
  RunState& now_;
  Meter& meter_;
  Rng unused_{0};
};

}  // namespace sunder::robust
