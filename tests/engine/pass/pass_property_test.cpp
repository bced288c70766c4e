// Random passes against their definition. A failure names the seed, which makes the same case
// again.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <vector>

#include "engine/engine.hpp"
#include "engine/pass/pass.hpp"
#include "engine/pass/pass_definition.hpp"

namespace sunder {
namespace {

using namespace test;

/// A number from `low` to `high`.
int between(Rng& rng, int low, int high) {
  return low + static_cast<int>(rng.below(static_cast<std::uint64_t>(high - low + 1)));
}

template <class T, std::size_t count>
const T& one_of(const T (&list)[count], Rng& rng) {
  return list[rng.below(count)];
}

/// Orders 2 to 5; extents of 1 and 2 in every third mode, and some longer than a vector register.
Shape random_shape(Rng& rng) {
  std::vector<Index> extents(between(rng, 2, 5));
  const int longest = extents.size() > 3 ? 7 : 21;
  for (Index& extent : extents) extent = between(rng, 1, rng.bernoulli(0.33) ? 2 : longest);
  return Shape(extents);
}

/// A view whose memory goes through its modes in any order, forwards or backwards, with or without
/// gaps; what lies in the gaps must not be read.
class RandomView {
 public:
  RandomView(const Shape& shape, ScalarType type, Rng& rng) : shape_(shape), type_(type) {
    std::vector<std::size_t> modes(shape.order());
    for (std::size_t m = 0; m < modes.size(); ++m) modes[m] = m;
    for (std::size_t m = modes.size() - 1; m > 0; --m) std::swap(modes[m], modes[rng.below(m + 1)]);
    Index length = 1;
    for (const std::size_t mode : modes) {
      const Index gap = rng.bernoulli(0.3) ? between(rng, 1, 3) : 0;
      const Index extent = shape[static_cast<int>(mode)];
      const bool backwards = rng.bernoulli(0.3);
      strides_[mode] = (backwards ? -1 : 1) * (length + gap);
      if (backwards) origin_ += (extent - 1) * (length + gap);
      length = (length + gap) * extent;
    }
    memory_.assign(static_cast<std::size_t>(length) * size_of(type), std::byte{0xff});
    with_scalar_type(type, [&]<class T>() { fill(reinterpret_cast<T*>(memory_.data()), rng); });
  }

  TensorView view() const {
    return {memory_.data() + origin_ * static_cast<Index>(size_of(type_)), type_, shape_, strides_};
  }

 private:
  template <class T>
  void fill(T* memory, Rng& rng) {
    for (Index position = 0; position < shape_.entries(); ++position) {
      const ModeIndices index = shape_.unravel(position);
      Index offset = origin_;
      for (std::size_t m = 0; m < static_cast<std::size_t>(shape_.order()); ++m) {
        offset += index[m] * strides_[m];
      }
      const bool missing = std::is_floating_point_v<T> && rng.bernoulli(0.1);
      memory[offset] = missing ? static_cast<T>(nan_value) : static_cast<T>(rng.below(7));
    }
  }

  Shape shape_;
  ScalarType type_;
  ModeIndices strides_{};
  Index origin_ = 0;
  std::vector<std::byte> memory_;
};

Rule random_rule(Rng& rng) {
  constexpr RuleKind kinds[] = {RuleKind::keep_all, RuleKind::hard_threshold,
                                RuleKind::geman_mcclure, RuleKind::huber, RuleKind::tukey};
  const RuleKind kind = one_of(kinds, rng);
  return kind == RuleKind::keep_all ? Rule::keep_all() : Rule{kind, rng.uniform(0.3, 6)};
}

/// Everything that a request can ask for, each of it or not.
struct Case {
  Rng rng;
  Shape shape;
  ScalarType type;
  RandomView tensor;
  int rank;
  CpModel model;
  CpModel probe;
  PassRequest request;

  explicit Case(std::uint64_t seed)
      : rng(seed, 99),
        shape(random_shape(rng)),
        type(one_of(every_type, rng)),
        tensor(shape, type, rng),
        rank(between(rng, 0, 6)),
        model(random_model(shape, rank, seed)),
        probe(random_model(shape, between(rng, 1, 5), seed + 1)) {
    request.model = &model;
    request.rule = random_rule(rng);
    if (rng.bernoulli(0.3)) request.probe = &probe.factors();
    for (int mode = 0; mode < shape.order(); ++mode) {
      request.modes[mode] = rng.bernoulli(0.6);
    }
    request.precision = one_of(both_precisions, rng);
    request.data_statistics = rng.bernoulli(0.3);
    request.sums = rng.bernoulli(0.8);
    request.histogram = request.sums && rng.bernoulli(0.3);
    constexpr SliceDetail details[] = {SliceDetail::none, SliceDetail::counts, SliceDetail::full};
    request.slice_statistics = one_of(details, rng);
    request.fit_tolerance = rng.uniform(0.1, 2);
    request.collect_sparse = rng.bernoulli(0.5);
  }
  Case(const Case&) = delete;

  std::string describe() const {
    const TensorView view = tensor.view();
    std::vector<Index> strides;
    for (int mode = 0; mode < shape.order(); ++mode) strides.push_back(view.stride(mode));
    return fmt::format("{}, strides {}, rank {}, rule {} at {}, modes {}, slices {}",
                       name(type, shape, request.precision), strides, rank,
                       static_cast<int>(request.rule.kind), request.rule.scale,
                       request.modes.to_string(), static_cast<int>(request.slice_statistics));
  }
};

TEST(PassProperty, FollowsItsDefinitionWhateverIsAsked) {
  constexpr std::uint64_t cases = 600;
  int ties = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const Case one(seed);
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, one.describe()));
    if (has_ties(one.tensor.view(), one.request)) {
      ++ties;
      continue;
    }
    expect_by_definition(one.tensor.view(), one.request);
    if (testing::Test::HasFailure()) return;  // one case is enough to read
  }
  EXPECT_LT(ties, 60);
}

TEST(PassProperty, GathersWhatTheViewHolds) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Case one(seed);
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, one.describe()));
    const TensorView view = one.tensor.view();
    const auto order = static_cast<std::size_t>(one.shape.order());
    std::vector<ModeIndices> samples(20);
    for (ModeIndices& sample : samples) {
      for (std::size_t m = 0; m < order; ++m) {
        sample[m] = static_cast<Index>(
            one.rng.below(static_cast<std::uint64_t>(one.shape[static_cast<int>(m)])));
      }
    }
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    Engine engine(view, 1);
    const std::vector<double> entries = engine.gather_entries(samples);
    const int mode = between(one.rng, 0, one.shape.order() - 1);
    const Matrix fibres = engine.gather_fibres(mode, samples);
    for (std::size_t k = 0; k < samples.size(); ++k) {
      const std::span<const Index> at(samples[k].data(), order);
      EXPECT_TRUE(same(entries[k], view(at)));
      const Index row = samples[k][mode];
      EXPECT_TRUE(same(fibres(row, static_cast<Index>(k)), view(at)));
    }
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace sunder
