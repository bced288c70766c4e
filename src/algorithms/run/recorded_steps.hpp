#pragma once
/// The steps of a run whose answers a journal keeps, together with what they change besides.

#include <optional>
#include <string>
#include <utility>

#include "algorithms/run/effort.hpp"
#include "algorithms/run/journal.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

/// What the journal keeps of a step. `Context` is what later steps depend on besides the answers of
/// earlier ones.
template <class Answer, class Context>
struct RecordedStep {
  Answer answer{};
  Rng rng{0};
  Context context;
  Effort effort;
};
template <class Archive, class Answer, class Context>
void describe(Archive& archive, RecordedStep<Answer, Context>& step) {
  archive(step.answer);
  archive(step.rng);
  archive(step.context);
  archive(step.effort);
}

template <class Context>
class RecordedSteps {
 public:
  /// `keeper` may be null. The other arguments must outlive the steps.
  RecordedSteps(StateKeeper* keeper, const Communicator& communicator, Context& context,
                EffortMeter& meter)
      : remembers_(keeper != nullptr),
        journal_(keeper, communicator),
        context_(context),
        meter_(meter) {}

  /// Does a step, unless an earlier run has done it. The step draws its random numbers from `rng`.
  template <class Answer, class Work>
  Answer take(const std::string& name, Rng& rng, const Work& work) {
    if (std::optional<Answer> known = recalled<Answer>(name, rng)) return *std::move(known);
    Answer answer = work();
    note(name, rng, answer);
    return answer;
  }
  /// Does a step in which nothing is random.
  template <class Answer, class Work>
  Answer take(const std::string& name, const Work& work) {
    return take<Answer>(name, unused_, work);
  }

  /// Does a test. Only a failure is remembered: a resumed run repeats a test that succeeded,
  /// because it needs what the test found.
  template <class Test>
  bool passes(const std::string& name, const Test& test) {
    if (recalled<bool>(name, unused_)) return false;
    if (test()) return true;
    note(name, unused_, true);
    return false;
  }

  /// Does a test that leaves something behind where it fails, and nothing where it succeeds. Only a
  /// failure is remembered.
  template <class Answer, class Test>
  std::optional<Answer> failure(const std::string& name, const Test& test) {
    if (std::optional<Answer> known = recalled<Answer>(name, unused_)) return known;
    std::optional<Answer> failed = test();
    if (failed) note(name, unused_, *failed);
    return failed;
  }

  void keep_now() { journal_.keep_now(); }

 private:
  template <class Answer>
  std::optional<Answer> recalled(const std::string& name, Rng& rng) {
    auto step = journal_.recall<RecordedStep<Answer, Context>>(name);
    if (!step) return std::nullopt;
    rng = step->rng;
    context_ = std::move(step->context);
    meter_.go_on_from(step->effort);
    return std::move(step->answer);
  }

  template <class Answer>
  void note(const std::string& name, const Rng& rng, const Answer& answer) {
    if (!remembers_) return;
    RecordedStep<Answer, Context> step{answer, rng, context_, meter_.so_far()};
    journal_.note(name, step);
  }

  bool remembers_;
  Journal journal_;
  Context& context_;
  EffortMeter& meter_;
  Rng unused_{0};
};

}  // namespace sunder
