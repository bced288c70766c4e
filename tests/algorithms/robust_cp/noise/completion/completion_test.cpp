#include "algorithms/robust_cp/noise/completion/completion.hpp"

#include <gtest/gtest.h>

#include "../noisy_example.hpp"
#include "algorithms/robust_cp/levels/completion.hpp"

namespace sunder::robust {
namespace {

using test::noisy_example;
using test::NoisyExample;

/// Forgets a share of the entries at random.
void forget(double share, DenseCore& core, Rng& rng) {
  core.observed = Entries::Ones(core.values.size());
  for (Index i = 0; i < core.values.size(); ++i) {
    if (!rng.bernoulli(share)) continue;
    core.observed[i] = 0;
    core.values[i] = 0;
  }
}

double error_at_gaps(const DenseCore& core, const Entries& guess, const Entries& truth) {
  const Entries gaps = 1 - core.observed;
  return std::sqrt((gaps * (guess - truth).square()).sum() / (gaps * truth.square()).sum());
}

TEST(Completion, IsNeededOnlyWhereRowsAreKnownFromFewEntries) {
  NoisyExample example = noisy_example({20, 20, 20}, 2, 0.1, 0, 1);
  EXPECT_FALSE(has_poor_rows(example.core, 100)) << "nothing is missing";
  Rng rng(2);
  forget(0.5, example.core, rng);
  EXPECT_FALSE(has_poor_rows(example.core, 2));
  EXPECT_TRUE(has_poor_rows(example.core, 20));
  EXPECT_FALSE(can_be_completed({2 * levels::completion::largest_mode, 4, 4}));
}

TEST(Completion, FillsGapsOfALowRankTensor) {
  for (const double errors : {0.0, 0.05}) {
    NoisyExample example = noisy_example({16, 15, 14}, 3, 0.05, errors, 3);
    const Entries truth = evaluate(example.truth);
    Rng rng(4);
    forget(0.4, example.core, rng);
    Monitor monitor;
    const Entries guess = complete(example.core, {}, rng, monitor);
    EXPECT_LT(error_at_gaps(example.core, guess, truth), 0.2) << errors;
  }
}

TEST(Completion, KeepsTheModelOfAGenerousRankFinite) {
  NoisyExample example = noisy_example({12, 30, 10}, 2, 0.1, 0, 5);
  const Entries truth = evaluate(example.truth);
  Rng rng(6);
  forget(0.6, example.core, rng);
  Monitor monitor;
  const Entries guess = complete(example.core, {}, rng, monitor);
  const NoisySolution found = fit_completed_core(example.core, guess, 10, rng, monitor);
  EXPECT_LT(error_at_gaps(example.core, evaluate(found.fit.factors), truth), 0.35);
}

}  // namespace
}  // namespace sunder::robust
