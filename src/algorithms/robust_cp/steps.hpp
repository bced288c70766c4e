#pragma once
/// The answers of the solver's steps, and what a step leaves behind besides: what a journal keeps.

#include <string>
#include <vector>

#include "algorithms/robust_cp/core_solver.hpp"
#include "algorithms/robust_cp/journal.hpp"
#include "algorithms/robust_cp/sampling.hpp"
#include "engine/pass.hpp"
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

/// What has been done so far.
struct Effort {
  int passes = 0;
  Index sampled = 0;
  std::int64_t bytes = 0;
  double flops = 0;
  double seconds = 0;

  Effort operator+(const Effort& b) const {
    return {passes + b.passes, sampled + b.sampled, bytes + b.bytes, flops + b.flops,
            seconds + b.seconds};
  }
  Effort operator-(const Effort& b) const {
    return {passes - b.passes, sampled - b.sampled, bytes - b.bytes, flops - b.flops,
            seconds - b.seconds};
  }
};

/// What a step leaves behind besides its answer.
struct Trail {
  Rng rng{0};
  double scale = 1;
  double mean_square = 0;
  Precision precision = Precision::f64;
  Effort effort;
  std::string rejected;
  std::vector<TraceRecord> trace;
};
template <class Archive>
void describe(Archive& archive, Effort& effort) {
  archive(effort.passes);
  archive(effort.sampled);
  archive(effort.bytes);
  archive(effort.flops);
  archive(effort.seconds);
}
template <class Archive>
void describe(Archive& archive, Trail& trail) {
  archive(trail.rng);
  archive(trail.scale);
  archive(trail.mean_square);
  archive(trail.precision);
  archive(trail.effort);
  archive(trail.rejected);
  archive(trail.trace);
}

template <class Answer>
struct Step {
  Answer answer{};
  Trail trail;
};
template <class Archive, class Answer>
void describe(Archive& archive, Step<Answer>& step) {
  archive(step.answer);
  archive(step.trail);
}

}  // namespace sunder::robust
