#include "sunder/video/activity.hpp"

#include <gtest/gtest.h>

#include <array>

#include "io/expect_error.hpp"
#include "sunder/core/error.hpp"
#include "video/scene_truth.hpp"

namespace sunder {
namespace {

using testing::expect_error;

const std::vector<Index> with_truth{4, 17, 30};

TEST(Activity, EveryMethodFindsTheObjectsOfAScene) {
  const Scene scene = test::small_scene();
  const DenseTensor masks = test::masks_at(scene, with_truth);
  const std::vector<ActivityRow> rows =
      compare_activity(scene.video.view(), {masks.view(), with_truth}, {});
  ASSERT_EQ(rows.size(), 3U);
  for (const ActivityRow& row : rows) {
    EXPECT_EQ(row.score.frames, 3) << row.name;
    EXPECT_EQ(row.masks.size(), with_truth.size()) << row.name;
    EXPECT_GT(row.score.recall, 0.6) << row.name;
    EXPECT_GT(row.passes, 0) << row.name;
    EXPECT_GT(row.sparse_fraction, 0) << row.name;
  }
  EXPECT_GT(rows.back().score.f, 0.85);
}

TEST(Activity, CanBeCancelled) {
  const Scene scene = test::small_scene();
  const DenseTensor masks = test::masks_at(scene, with_truth);
  for (const std::string stage : {"", "background model"}) {
    const auto stop = [&](const Progress& now) {
      return stage.empty() || now.stage == stage ? Continue::cancel : Continue::yes;
    };
    EXPECT_THROW(compare_activity(scene.video.view(), {masks.view(), with_truth}, stop), Cancelled);
  }
}

TEST(Activity, RefusesMasksOfAnotherClip) {
  const Scene scene = test::small_scene();
  const DenseTensor masks = test::masks_at(scene, with_truth);
  const auto compare = [&](const TensorView& clip, const TensorView& truth,
                           const std::vector<Index>& at) {
    return [=] { compare_activity(clip, {truth, at}, {}); };
  };
  const TensorView clip = scene.video.view();
  expect_error<InputError>(
      compare(masks.view().grouped(std::array{0, 1}), masks.view(), with_truth), {"8 bits"});
  expect_error<InputError>(compare(clip, masks.view(), {4, 17}), {"2 frames"});
  expect_error<InputError>(compare(clip, masks.view(), {4, 17, 80}), {"frame 80", "0 to 79"});
}

}  // namespace
}  // namespace sunder
