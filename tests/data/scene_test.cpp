#include "sunder/data/scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/same_bits.hpp"
#include "refused_option.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using test::same_bits;

/// Grey level of the empty scene before noise, at a position of the video.
double empty_level(const Scene& scene, Index position) {
  const Index frames = scene.video.shape()[2];
  return scene.gain[position % frames] * scene.background.typed<float>()[position / frames];
}

TEST(Scene, HasTheShapesAndTypesOfAVideo) {
  const Scene scene = generate_scene({.shape = Shape{30, 50, 20}});
  EXPECT_EQ(scene.video.shape(), (Shape{30, 50, 20}));
  EXPECT_EQ(scene.video.type(), ScalarType::u8);
  EXPECT_EQ(scene.masks.shape(), scene.video.shape());
  EXPECT_EQ(scene.masks.type(), ScalarType::u8);
  EXPECT_EQ(scene.background.shape(), (Shape{30, 50}));
  EXPECT_EQ(scene.background.type(), ScalarType::f32);
  EXPECT_EQ(scene.gain.size(), 20);
}

TEST(Scene, BackgroundIsTexturedInTheMiddleGreys) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Scene scene = generate_scene({.seed = seed});
    const auto grey = scene.background.typed<float>();
    EXPECT_FLOAT_EQ(*std::ranges::min_element(grey), 40);
    EXPECT_FLOAT_EQ(*std::ranges::max_element(grey), 200);
    const Eigen::Map<const Eigen::ArrayXf> levels(grey.data(), std::ssize(grey));
    EXPECT_GT(std::sqrt((levels - levels.mean()).square().mean()), 15) << "flat background";
  }
}

TEST(Scene, LightChangesSlowlyByTheAmplitude) {
  const Scene scene = generate_scene({.light = 0.2});
  EXPECT_NEAR(scene.gain.mean(), 1, 1e-14);
  EXPECT_NEAR((scene.gain.array() - 1).abs().maxCoeff(), 0.2, 1e-12);
  const Vector steps = scene.gain.tail(99) - scene.gain.head(99);
  EXPECT_LT(steps.cwiseAbs().maxCoeff(), 0.04);
  EXPECT_EQ(generate_scene({.light = 0}).gain, Vector::Ones(100));
}

TEST(Scene, OutsideTheMasksOnlyNoiseIsAddedToTheBackground) {
  const Scene scene = generate_scene({.noise = 3});
  const auto video = scene.video.typed<std::uint8_t>();
  const auto masks = scene.masks.typed<std::uint8_t>();
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (Index k = 0; k < scene.video.entries(); ++k) {
    if (masks[k] != 0) continue;
    const double error = video[k] - empty_level(scene, k);
    ASSERT_LT(std::abs(error), 3 * 6.5);
    sum += error;
    squares += error * error;
    count += 1;
  }
  EXPECT_NEAR(sum / count, 0, 0.03);
  EXPECT_NEAR(std::sqrt(squares / count), std::sqrt(9 + 1.0 / 12), 0.03);
}

TEST(Scene, WithoutNoiseTheMasksAreWhatDiffers) {
  const Scene scene = generate_scene({.noise = 0});
  const auto video = scene.video.typed<std::uint8_t>();
  const auto masks = scene.masks.typed<std::uint8_t>();
  Index covered = 0;
  Index hidden = 0;
  for (Index k = 0; k < scene.video.entries(); ++k) {
    const bool differs = std::abs(video[k] - empty_level(scene, k)) > 0.5001;
    const std::uint8_t mask = masks[k];
    ASSERT_TRUE(mask == 0 || mask == 255);
    ASSERT_TRUE(mask != 0 || !differs) << k;
    if (mask != 0) ++covered;
    if (mask != 0 && !differs) ++hidden;
  }
  EXPECT_LT(hidden, covered / 100) << "objects in the colours of the wall";
}

TEST(Scene, ObjectsComeAndGoAndCoverASmallPart) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Scene scene = generate_scene({.shape = Shape{60, 80, 400}, .objects = 2, .seed = seed});
    const auto masks = scene.masks.typed<std::uint8_t>();
    std::vector<Index> area(400, 0);
    for (std::size_t k = 0; k < masks.size(); ++k) area[k % 400] += masks[k] != 0 ? 1 : 0;
    EXPECT_NE(*std::ranges::min_element(area), *std::ranges::max_element(area));
    EXPECT_GT(scene.sparse.count(), scene.video.entries() / 500);
    EXPECT_LT(scene.sparse.count(), scene.video.entries() / 8);
  }
}

TEST(Scene, SparseIsTheDifferenceOnTheMasks) {
  const Scene scene = generate_scene({});
  const auto masks = scene.masks.typed<std::uint8_t>();
  EXPECT_EQ(scene.sparse.count(), std::ranges::count(masks, 255));
  for (std::size_t k = 0; k < scene.sparse.values().size(); ++k) {
    const Index position = scene.sparse.positions()[k];
    const auto at = static_cast<std::size_t>(position);
    ASSERT_EQ(masks[at], 255);
    ASSERT_NEAR(scene.sparse.values()[k],
                scene.video.typed<std::uint8_t>()[at] - empty_level(scene, position), 1e-12);
  }
}

TEST(Scene, NoObjectsNoMasks) {
  const Scene scene = generate_scene({.objects = 0});
  EXPECT_EQ(scene.sparse.count(), 0);
  EXPECT_EQ(std::ranges::count(scene.masks.typed<std::uint8_t>(), 0), scene.masks.entries());
}

TEST(Scene, AnotherObjectLeavesTheOthersWhereTheyAre) {
  const Scene two = generate_scene({.objects = 2});
  const Scene three = generate_scene({.objects = 3});
  EXPECT_EQ(compare_support(two.sparse, three.sparse).precision, 1);
  EXPECT_TRUE(same_bits(two.background, three.background));
  EXPECT_EQ(two.gain, three.gain);
}

TEST(Scene, SameBitsForAnyNumberOfThreads) {
  const auto make = [] { return generate_scene({.shape = Shape{45, 37, 60}, .seed = 5}); };
  const Scene one = test::with_threads(1, make);
  for (const int threads : {2, 3}) {
    const Scene several = test::with_threads(threads, make);
    EXPECT_TRUE(same_bits(one.video, several.video));
    EXPECT_TRUE(same_bits(one.masks, several.masks));
    EXPECT_TRUE(same_bits(one.sparse, several.sparse));
  }
}

TEST(Scene, SeedsGiveDifferentScenes) {
  const Scene a = generate_scene({.seed = 1});
  const Scene b = generate_scene({.seed = 2});
  EXPECT_FALSE(same_bits(a.background, b.background));
  EXPECT_FALSE(same_bits(a.masks, b.masks));
  EXPECT_NE(a.gain, b.gain);
}

TEST(Scene, TinyShapesAreFine) {
  for (const Shape& shape : {Shape{1, 1, 1}, Shape{2, 3, 1}, Shape{1, 40, 10}}) {
    const Scene scene = generate_scene({.shape = shape});
    EXPECT_EQ(scene.video.shape(), shape);
    EXPECT_TRUE(scene.gain.allFinite());
  }
}

TEST(Scene, RejectsWrongOptions) {
  EXPECT_THROW(generate_scene({.objects = -1}), OptionError);
  EXPECT_EQ(test::wrong_option(SceneOptions{.shape = Shape{60, 80}}), "shape");
  EXPECT_EQ(test::wrong_option(SceneOptions{.shape = Shape{60, 80, 0}}), "shape");
  EXPECT_EQ(test::wrong_option(SceneOptions{.objects = -1}), "objects");
  EXPECT_EQ(test::wrong_option(SceneOptions{.light = 1}), "light");
  EXPECT_EQ(test::wrong_option(SceneOptions{.light = -0.1}), "light");
  EXPECT_EQ(test::wrong_option(SceneOptions{.noise = -1}), "noise");
  EXPECT_EQ(test::wrong_option(SceneOptions{.noise = std::numeric_limits<double>::infinity()}),
            "noise");
}

TEST(Scene, CanBeCancelled) {
  int calls = 0;
  const auto cancel = [&](const Progress& progress) {
    EXPECT_GE(progress.fraction, 0);
    return ++calls == 2 ? Continue::cancel : Continue::yes;
  };
  EXPECT_THROW(generate_scene({}, cancel), Cancelled);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace sunder
