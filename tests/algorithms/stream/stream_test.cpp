#include "sunder/algorithms/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "algorithms/stream/planted_stream.hpp"
#include "core/files/state_file.hpp"
#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {
namespace {

using test::run_stream;
using test::same_bits;
using test::slice_of;
using test::StreamRun;

/// Slices of 24 x 20, rank 3, a fifth of the entries corrupted.
PlantedOptions small_stream(Index slices, std::uint64_t seed) {
  PlantedOptions options;
  options.shape = Shape{24, 20, slices};
  options.rank = 3;
  options.density = 0.2;
  options.seed = seed;
  return options;
}

StreamOptions stream_of_rank(int rank) {
  StreamOptions options;
  options.rank = rank;
  options.threads = 1;  // the tests run side by side
  return options;
}

StreamRun run(const PlantedOptions& planted) {
  RobustCpStream stream(test::slice_shape(planted.shape), stream_of_rank(planted.rank), 1);
  return run_stream(stream, generate_planted(planted));
}

double largest(const std::vector<double>& errors, Index begin) {
  double worst = 0;
  for (std::size_t t = static_cast<std::size_t>(begin); t < errors.size(); ++t) {
    worst = std::max(worst, errors[t] < 0 ? 1.0 : errors[t]);
  }
  return worst;
}

TEST(Stream, FactorsAtRestAreFoundToRounding) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const PlantedOptions options = small_stream(40, seed);
    const StreamRun seen = run(options);
    const PlantedTensor planted = generate_planted(options);
    EXPECT_LT(largest(seen.errors, 0), 1e-10) << "seed " << seed;
    EXPECT_TRUE(seen.changes.empty());
    EXPECT_TRUE(seen.at_once[7].warming_up);
    EXPECT_FALSE(seen.at_once[8].warming_up);
    std::vector<std::vector<Index>> truth(40);
    for (const Index position : planted.sparse.positions()) {
      truth[position % 40].push_back(position / 40);
    }
    for (std::size_t t = 0; t < 40; ++t) {
      EXPECT_EQ(seen.decisions[t].positions, truth[t]) << "slice " << t;
      EXPECT_LT(seen.decisions[t].residual, 1e-10);
    }
  }
}

TEST(Stream, FollowsARotation) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const double degrees : {0.1, 0.5}) {
      PlantedOptions options = small_stream(45, seed);
      options.rotate = degrees;
      const StreamRun seen = run(options);
      EXPECT_LT(largest(seen.errors, 9), degrees < 0.3 ? 1e-5 : 1e-3) << seed << " " << degrees;
      EXPECT_TRUE(seen.changes.empty());
    }
  }
}

/// 60 x 60 slices of rank 5: below 1e-3 after 3 r slices, and again 2 r slices after a change.
TEST(Stream, ReportsAChangeAndRecovers) {
  PlantedOptions options;
  options.shape = Shape{60, 60, 45};
  options.rank = 5;
  options.density = 0.2;
  options.rotate = 0.1;
  options.change_at = 25;
  const StreamRun seen = run(options);
  ASSERT_EQ(seen.changes, (std::vector<Index>{26}));
  EXPECT_EQ(seen.at_once[26].changed_at, 25);
  EXPECT_TRUE(seen.at_once[26].relearning);
  EXPECT_LT(largest({seen.errors.begin() + 15, seen.errors.begin() + 25}, 0), 1e-3);
  EXPECT_LT(largest(seen.errors, 25 + 10), 1e-3);
}

TEST(Stream, ReportsChangesOfSmallStreams) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const double noise : {0.0, 0.05}) {
      PlantedOptions options = small_stream(60, seed);
      options.change_at = 30;
      options.noise = noise;
      const StreamRun seen = run(options);
      EXPECT_EQ(seen.changes, (std::vector<Index>{31})) << "seed " << seed << " noise " << noise;
      EXPECT_LT(largest(seen.errors, 36), noise > 0 ? 0.2 : 1e-10);
    }
  }
}

TEST(Stream, ReportsNoChangeWhereThereIsNone) {
  for (const double noise : {0.0, 0.1, 0.3}) {
    PlantedOptions options = small_stream(0, 4);
    options.shape = Shape{16, 16, noise > 0 ? 250 : 500};
    options.rank = 2;
    options.magnitude = 4;
    options.noise = noise;
    const StreamRun seen = run(options);
    EXPECT_TRUE(seen.changes.empty()) << "noise " << noise;
    if (noise > 0) continue;
    EXPECT_LT(largest(seen.errors, 0), 1e-10);
  }
}

TEST(Stream, GrossErrorsOfAnySizeHaveNoPartInTheModel) {
  for (const double magnitude : {10.0, 1e6}) {
    PlantedOptions options = small_stream(30, 5);
    options.magnitude = magnitude;
    EXPECT_LT(largest(run(options).errors, 0), 1e-10) << magnitude;
  }
}

TEST(Stream, SlicesOfOtherOrders) {
  PlantedOptions vectors = small_stream(60, 6);
  vectors.shape = Shape{80, 60};
  vectors.rank = 2;
  const StreamRun seen = run(vectors);
  EXPECT_TRUE(seen.at_once[18].warming_up);
  EXPECT_LT(largest(seen.errors, 0), 1e-10);
  vectors.rotate = 0.05;
  EXPECT_LT(largest(run(vectors).errors, 20), 1e-3);
  PlantedOptions cubes = small_stream(30, 6);
  cubes.shape = Shape{10, 9, 8, 30};
  cubes.rotate = 0.1;
  EXPECT_LT(largest(run(cubes).errors, 9), 1e-4);
}

TEST(Stream, MissingEntries) {
  PlantedOptions options = small_stream(40, 7);
  options.missing = 0.3;
  options.rotate = 0.1;
  PlantedTensor planted = generate_planted(options);
  std::span<double> entries = planted.tensor.typed<double>();
  for (std::size_t i = 20; i < entries.size(); i += 40) {  // all of slice 20
    entries[i] = std::numeric_limits<double>::quiet_NaN();
  }
  RobustCpStream stream(Shape{24, 20}, stream_of_rank(3), 1);
  const StreamRun seen = run_stream(stream, planted);
  EXPECT_EQ(seen.decisions[20].missing, 480);
  EXPECT_FALSE(seen.decisions[20].explained);
  EXPECT_TRUE(seen.changes.empty());
  for (std::size_t t = 9; t < 40; ++t) {
    if (t == 20) continue;
    EXPECT_LT(std::abs(seen.errors[t]), 1e-4) << "slice " << t;
    EXPECT_GT(seen.decisions[t].missing, 90);
  }
}

TEST(Stream, ASliceOfGarbageIsAnAccident) {
  PlantedTensor planted = generate_planted(small_stream(40, 8));
  Rng rng(1);
  std::span<double> entries = planted.tensor.typed<double>();
  for (std::size_t i = 20; i < entries.size(); i += 40) entries[i] = 0.1 * rng.normal();
  RobustCpStream stream(Shape{24, 20}, stream_of_rank(3), 1);
  const StreamRun seen = run_stream(stream, planted);
  EXPECT_FALSE(seen.decisions[20].explained);
  EXPECT_TRUE(seen.changes.empty());
  EXPECT_LT(largest(seen.errors, 21), 1e-10);
}

TEST(Stream, FactorsTakenToStandStillAreMoreAccurateUnderNoise) {
  PlantedOptions options = small_stream(40, 12);
  options.noise = 0.1;
  const PlantedTensor planted = generate_planted(options);
  const auto total = [&](bool moving) {
    StreamOptions stream_options = stream_of_rank(3);
    stream_options.moving = moving;
    RobustCpStream stream(Shape{24, 20}, stream_options, 1);
    double sum = 0;
    for (const double error : run_stream(stream, planted).errors) sum += error;
    return sum;
  };
  EXPECT_LT(total(false), 0.8 * total(true));
}

TEST(Stream, ScalesWithTheData) {
  PlantedOptions options = small_stream(40, 9);
  options.noise = 0.1;
  options.change_at = 25;
  PlantedTensor planted = generate_planted(options);
  RobustCpStream one(Shape{24, 20}, stream_of_rank(3), 1);
  const StreamRun first = run_stream(one, planted);
  for (double& x : planted.tensor.typed<double>()) x *= 0x1p-40;
  RobustCpStream two(Shape{24, 20}, stream_of_rank(3), 1);
  const StreamRun second = run_stream(two, planted);
  EXPECT_EQ(first.changes, second.changes);
  for (std::size_t t = 0; t < 40; ++t) {
    EXPECT_EQ(first.decisions[t].positions, second.decisions[t].positions) << t;
    EXPECT_NEAR(first.decisions[t].residual, second.decisions[t].residual, 1e-6);
    const double size = first.decisions[t].coefficients.norm();
    EXPECT_LT((first.decisions[t].coefficients - 0x1p40 * second.decisions[t].coefficients).norm(),
              1e-6 * size);
  }
}

/// A stream with noise, a rotation and a change: every phase.
PlantedOptions eventful(std::uint64_t seed) {
  PlantedOptions options = small_stream(40, seed);
  options.noise = 0.02;
  options.rotate = 0.1;
  options.change_at = 25;
  return options;
}

TEST(Stream, SameBitsForAnyNumberOfThreads) {
  const PlantedTensor planted = generate_planted(eventful(10));
  StreamOptions options = stream_of_rank(3);
  RobustCpStream alone(Shape{24, 20}, options, 1);
  const StreamRun expected = run_stream(alone, planted);
  options.threads = 3;
  RobustCpStream together(Shape{24, 20}, options, 1);
  const StreamRun seen = run_stream(together, planted);
  for (std::size_t t = 0; t < 40; ++t) {
    EXPECT_TRUE(same_bits(expected.decisions[t], seen.decisions[t])) << "slice " << t;
  }
}

TEST(Stream, GoesOnFromAFileToTheSameBits) {
  const testing::TemporaryFolder folder;
  const PlantedTensor planted = generate_planted(eventful(11));
  const StreamOptions options = stream_of_rank(3);
  RobustCpStream whole(Shape{24, 20}, options, 7);
  const StreamRun expected = run_stream(whole, planted);
  ASSERT_EQ(expected.changes.size(), 1U);
  for (const Index stop : {5, 9, 15, 26, 30}) {  // warming up, just learnt, tracking, relearning
    RobustCpStream first(Shape{24, 20}, options, 7);
    run_stream(first, planted, 0, stop);
    first.save(folder / "state");
    RobustCpStream second = RobustCpStream::load(folder / "state", Shape{24, 20}, options, 7);
    EXPECT_EQ(second.slices_seen(), stop);
    const StreamRun seen = run_stream(second, planted, stop);
    for (std::size_t k = 0; k < seen.at_once.size(); ++k) {
      EXPECT_TRUE(same_bits(expected.at_once[static_cast<std::size_t>(stop) + k], seen.at_once[k]))
          << "stopped before " << stop << ", slice " << seen.at_once[k].slice;
    }
  }
}

TEST(Stream, RefusesStatesOfOtherStreams) {
  const testing::TemporaryFolder folder;
  const StreamOptions options = stream_of_rank(3);
  RobustCpStream stream(Shape{24, 20}, options, 7);
  stream.save(folder / "state");
  const auto load = [&](const Shape& shape, const StreamOptions& asked, std::uint64_t seed) {
    return [&, shape, asked, seed] { RobustCpStream::load(folder / "state", shape, asked, seed); };
  };
  load(Shape{24, 20}, options, 7)();
  testing::expect_error<InputError>(load(Shape{20, 24}, options, 7), {"24 x 20", "20 x 24"});
  testing::expect_error<InputError>(load(Shape{24, 20}, stream_of_rank(4), 7), {"rank 3", "4"});
  testing::expect_error<InputError>(load(Shape{24, 20}, options, 8), {"seed 7", "8"});
  StreamOptions other = options;
  other.forgetting = 0.5;
  testing::expect_error<InputError>(load(Shape{24, 20}, other, 7), {"forgetting"});
}

TEST(Stream, RefusesWhatItCannotUse) {
  const auto make = [](const Shape& shape, StreamOptions options) {
    return [=] { RobustCpStream(shape, options, 1); };
  };
  testing::expect_error<OptionError>(make(Shape{9, 9}, stream_of_rank(0)), {"rank", "at least 1"});
  StreamOptions options = stream_of_rank(2);
  options.forgetting = 1.5;
  testing::expect_error<OptionError>(make(Shape{9, 9}, options), {"forgetting", "1.5"});
  options = stream_of_rank(2);
  options.warm_up = 1;
  testing::expect_error<OptionError>(make(Shape{9, 9}, options), {"warm-up", "at least 2"});
  testing::expect_error<InputError>(make(Shape{9, 0}, stream_of_rank(2)), {"9 x 0"});
  testing::expect_error<InputError>(make(Shape{2, 2}, stream_of_rank(9)), {"rank 9"});

  RobustCpStream stream(Shape{9, 9}, stream_of_rank(2), 1);
  DenseTensor wrong(Shape{9, 8});
  testing::expect_error<InputError>([&] { stream.push(wrong.view()); }, {"9 x 8", "9 x 9"});
  DenseTensor infinite(Shape{9, 9});
  infinite.typed<double>()[3] = std::numeric_limits<double>::infinity();
  testing::expect_error<InputError>([&] { stream.push(infinite.view()); }, {"infinite"});
  EXPECT_EQ(stream.slices_seen(), 0);
  testing::expect_error<InputError>([&] { stream.slice_model(0); }, {"slice 0"});
}

TEST(Stream, RefusesAStateThatDoesNotFitTogether) {
  const testing::TemporaryFolder folder;
  const StreamOptions options = stream_of_rank(3);
  RobustCpStream stream(Shape{24, 20}, options, 7);
  const PlantedTensor planted = generate_planted(small_stream(20, 3));
  for (Index t = 0; t < 20; ++t) stream.push(slice_of(planted.tensor.view(), t));
  ASSERT_TRUE(stream.has_model());
  stream.save(folder / "state");
  const StateKind kind{"sunderST", 1, "the state of a stream"};
  std::vector<std::byte> bytes = read_state(folder / "state", kind);
  // The first factor, 24 x 3, says that it is 3 x 24.
  const auto number = [&](Index value) {
    return std::vector<std::byte>(reinterpret_cast<const std::byte*>(&value),
                                  reinterpret_cast<const std::byte*>(&value + 1));
  };
  std::vector<std::byte> extents = number(24);
  for (const std::byte byte : number(3)) extents.push_back(byte);
  const auto found = std::search(bytes.begin(), bytes.end(), extents.begin(), extents.end());
  ASSERT_NE(found, bytes.end());
  std::rotate(found, found + 8, found + 16);
  write_state(folder / "state", kind, bytes);
  testing::expect_error<InputError>(
      [&] {
        RobustCpStream::load(folder / "state", Shape{24, 20}, options, 7);
      },
      {"do not fit together"});
}

}  // namespace
}  // namespace sunder
