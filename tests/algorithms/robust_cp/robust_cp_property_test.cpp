// What must hold of every decomposition, on random problems. A failure names the problem and its
// seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "algorithms/same_decomposition.hpp"
#include "planted_problem.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "thread_communicator.hpp"

namespace sunder {
namespace {

using test::expect_same_answer;

constexpr std::uint64_t seeds = 8;

/// A problem well inside what can be recovered, of any order, shape, support and rank.
PlantedOptions random_problem(std::uint64_t seed) {
  const Shape shapes[] = {{24, 20, 28}, {4, 40, 30},   {60, 40},       {9, 8, 10, 11},
                          {34, 12, 19}, {3, 6, 12, 9}, {25, 1, 30, 6}, {5, 6, 7, 5, 8}};
  Rng rng(seed, 7);
  PlantedOptions options;
  options.shape = shapes[seed % std::size(shapes)];
  options.rank = 1 + static_cast<int>(rng.below(3));
  options.density = rng.uniform(0.02, 0.15);
  options.signs = rng.bernoulli(0.5) ? Signs::random : Signs::one;
  options.missing = rng.bernoulli(0.3) ? 0.1 : 0;
  options.magnitude = rng.uniform(0.5, 20);
  options.seed = seed;
  return options;
}

std::string describe(const PlantedOptions& options) {
  return fmt::format("seed {}: {}, rank {}, density {}, missing {}, noise {}", options.seed,
                     to_string(options.shape), options.rank, options.density, options.missing,
                     options.noise);
}

Decomposition solve(const TensorView& tensor, int rank,
                    std::shared_ptr<const Communicator> communicator = nullptr) {
  RunOptions run;
  run.rank = rank;
  run.threads = 1;  // the tests run side by side
  run.communicator = std::move(communicator);
  RobustCpOptions options;
  options.core = 20;  // so that cores are smaller than the tensor
  return robust_cp(tensor, run, options);
}

/// The same tensor with its modes in another order, and the rows of each rearranged:
/// new[i] = old[rows[i]].
struct Rearrangement {
  std::vector<int> modes;
  std::vector<std::vector<Index>> rows;  ///< of the new modes

  Rearrangement(const Shape& shape, Rng& rng) {
    modes.resize(shape.order());
    std::iota(modes.begin(), modes.end(), 0);
    shuffle(modes, rng);
    for (const int mode : modes) {
      rows.emplace_back(static_cast<std::size_t>(shape[mode]));
      std::iota(rows.back().begin(), rows.back().end(), Index{0});
      shuffle(rows.back(), rng);
    }
  }

  CpModel operator()(const CpModel& model) const {
    std::vector<Matrix> factors;
    for (std::size_t m = 0; m < modes.size(); ++m) {
      factors.emplace_back(model.factor(modes[m])(rows[m], Eigen::all));
    }
    return {model.weights(), std::move(factors)};
  }

  DenseTensor operator()(const TensorView& tensor) const {
    const TensorView turned = tensor.permuted(modes);
    DenseTensor result(turned.shape());
    for (Index p = 0; p < result.entries(); ++p) {
      ModeIndices index = result.shape().unravel(p);
      for (std::size_t m = 0; m < modes.size(); ++m) {
        index[m] = rows[m][index[m]];
      }
      result.typed<double>()[p] = turned(std::span<const Index>(index.data(), modes.size()));
    }
    return result;
  }

 private:
  template <class T>
  static void shuffle(std::vector<T>& list, Rng& rng) {
    for (std::size_t k = list.size(); k > 1; --k) std::swap(list[k - 1], list[rng.below(k)]);
  }
};

TEST(RobustCpProperty, RearrangingTRearrangesTheAnswer) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const PlantedOptions options = random_problem(seed);
    SCOPED_TRACE(describe(options));
    const PlantedTensor planted = generate_planted(options);
    Rng rng(seed, 3);
    const Rearrangement other(options.shape, rng);
    const DenseTensor moved = other(planted.tensor.view());
    const Decomposition before = solve(planted.tensor.view(), options.rank);
    const Decomposition after = solve(moved.view(), options.rank);
    EXPECT_EQ(before.certificate.level, Certified::exact);
    EXPECT_EQ(after.certificate.level, Certified::exact);
    EXPECT_LT(after.low_rank.distance(other(before.low_rank)), 1e-11 * before.low_rank.norm());
    EXPECT_EQ(after.sparse_count, before.sparse_count);
    EXPECT_NEAR(after.sparse_norm, before.sparse_norm, 1e-10 * before.sparse_norm);
  }
}

TEST(RobustCpProperty, APowerOfTwoScalesTheAnswerToTheBit) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    PlantedOptions options = random_problem(seed);
    options.noise = seed % 4 == 1 ? 0.01 : 0;
    SCOPED_TRACE(describe(options));
    const PlantedTensor planted = generate_planted(options);
    const Decomposition before = solve(planted.tensor.view(), options.rank);
    for (const double scale : {std::ldexp(1.0, 20), std::ldexp(1.0, -37)}) {
      DenseTensor scaled = generate_planted(options).tensor;
      for (double& x : scaled.typed<double>()) x *= scale;
      Decomposition after = solve(scaled.view(), options.rank);
      const CpModel& model = after.low_rank;
      after.low_rank = CpModel(model.weights() / scale, model.factors());
      expect_same_answer(after, before);
      ASSERT_EQ(after.sparse.count(), before.sparse.count());
      EXPECT_TRUE(std::ranges::equal(after.sparse.positions(), before.sparse.positions()));
      EXPECT_TRUE(std::ranges::equal(after.sparse.values(), before.sparse.values(),
                                     [&](double a, double b) { return a == scale * b; }));
    }
  }
}

TEST(RobustCpProperty, AddingALowRankTensorAddsItToLAndLeavesSAlone) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const PlantedOptions options = random_problem(seed);
    SCOPED_TRACE(describe(options));
    const PlantedTensor planted = generate_planted(options);
    CpModel more = test::random_model(options.shape, 1, seed);
    more = CpModel(more.weights() * (planted.low_rank.norm() / more.norm()), more.factors());
    DenseTensor sum = generate_planted(options).tensor;
    const DenseTensor added = test::dense(more);
    for (std::size_t k = 0; k < sum.typed<double>().size(); ++k) {
      sum.typed<double>()[k] += added.typed<double>()[k];
    }
    const Decomposition after = solve(sum.view(), options.rank + 1);
    const CpModel expected = concatenate(planted.low_rank, more);
    EXPECT_LT(after.low_rank.distance(expected), 1e-10 * expected.norm());
    EXPECT_TRUE(std::ranges::equal(after.sparse.positions(), planted.sparse.positions()));
  }
}

TEST(RobustCpProperty, StorageOrderChangesNoBitOfL) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const PlantedOptions options = random_problem(seed);
    SCOPED_TRACE(describe(options));
    const PlantedTensor planted = generate_planted(options);
    const DenseTensor turned = test::turned(planted.tensor);
    const Decomposition before = solve(planted.tensor.view(), options.rank);
    const Decomposition after = solve(turned.view(), options.rank);
    expect_same_answer(after, before);
    // A residual adds the terms of L in the order of the walk.
    EXPECT_TRUE(std::ranges::equal(after.sparse.positions(), before.sparse.positions()));
    const double largest = planted.low_rank.norm() + before.sparse_norm;
    EXPECT_TRUE(
        std::ranges::equal(after.sparse.values(), before.sparse.values(),
                           [&](double a, double b) { return std::abs(a - b) <= 1e-14 * largest; }));
  }
}

TEST(RobustCpProperty, SinglePrecisionIsAsGoodAsItsRounding) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    PlantedOptions options = random_problem(seed);
    SCOPED_TRACE(describe(options));
    const PlantedTensor wide = generate_planted(options);
    options.type = ScalarType::f32;
    const PlantedTensor narrow = generate_planted(options);
    const Decomposition in_f64 = solve(wide.tensor.view(), options.rank);
    const Decomposition in_f32 = solve(narrow.tensor.view(), options.rank);
    EXPECT_LT(in_f32.low_rank.distance(in_f64.low_rank), 1e-6 * in_f64.low_rank.norm());
    EXPECT_TRUE(std::ranges::equal(in_f32.sparse.positions(), in_f64.sparse.positions()))
        << in_f32.sparse.count() << " and " << in_f64.sparse.count() << '\n'
        << in_f32.certificate.explanation;
    EXPECT_EQ(in_f32.certificate.level, in_f64.certificate.level);
  }
}

TEST(RobustCpProperty, AnyNumberOfProcessesGivesTheBitsOfOne) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    PlantedOptions options = random_problem(seed);
    options.noise = seed % 4 == 0 ? 0.01 : 0;
    SCOPED_TRACE(describe(options));
    const PlantedTensor planted = generate_planted(options);
    const Decomposition alone = solve(planted.tensor.view(), options.rank);
    const int ranks = 2 + static_cast<int>(seed % 3);
    std::vector<Decomposition> parts(ranks);
    test::run_ranks(ranks, [&](std::shared_ptr<const Communicator> communicator) {
      parts[communicator->rank()] = solve(planted.tensor.view(), options.rank, communicator);
    });
    Index listed = 0;
    for (const Decomposition& part : parts) {
      expect_same_answer(part, alone);
      listed += part.sparse.count();
    }
    EXPECT_EQ(listed, alone.sparse.count()) << ranks << " processes";
  }
}

}  // namespace
}  // namespace sunder
