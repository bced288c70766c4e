#include "sunder/video/segmentation.hpp"

#include <gtest/gtest.h>

#include "sunder/core/error.hpp"
#include "sunder/video/low_rank_video.hpp"
#include "video/synthetic_clip.hpp"

namespace sunder {
namespace {

using testing::Clip;
using testing::ClipOptions;
using testing::ClipSource;
using testing::f_of;
using testing::make_clip;
using Masks = std::vector<std::vector<std::uint8_t>>;

struct Collected {
  Masks masks;
  std::vector<Frame> frames;
  SegmentationSummary summary;
};

Collected collect(FrameSource& source, const SegmentationOptions& options) {
  Collected result;
  result.summary = segment(source, options, [&](const SegmentedFrame& segmented) {
    EXPECT_EQ(segmented.number, std::ssize(result.masks));
    result.masks.push_back(segmented.decision.mask);
    result.frames.push_back(segmented.frame);
    return Continue::yes;
  });
  return result;
}

TEST(Segmentation, ShowsEveryFrameInOrderWhateverFitsIntoTheCache) {
  const Clip clip = make_clip(testing::clip_of(80));
  for (const bool can_rewind : {true, false}) {
    for (const Index cached : {200, 30, 8}) {
      for (const Index learning : {1500, 50}) {
        for (const bool online : {false, true}) {
          SegmentationOptions options;
          options.online = online;
          options.cache_bytes = cached * clip.format.bytes();
          options.learning_frames = learning;
          ClipSource source(clip, can_rewind);
          const Collected found = collect(source, options);
          ASSERT_EQ(found.masks.size(), clip.frames.size());
          EXPECT_EQ(found.summary.frames, 80);
          for (std::size_t t = 0; t < clip.frames.size(); ++t) {
            EXPECT_EQ(found.frames[t].bytes, clip.frames[t].bytes);
          }
          // Eight frames in which the square hardly moves are little to learn from.
          EXPECT_GT(f_of(clip, found.masks, 30), cached == 8 ? 0.7 : 0.85)
              << can_rewind << ' ' << cached << ' ' << learning << ' ' << online;
        }
      }
    }
  }
}

TEST(Segmentation, StopsWhenTheVisitorHasSeenEnough) {
  const Clip clip = make_clip(testing::clip_of(80));
  for (const bool online : {false, true}) {
    SegmentationOptions options;
    options.online = online;
    ClipSource source(clip);
    Index seen = 0;
    const SegmentationSummary summary = segment(source, options, [&](const SegmentedFrame&) {
      return ++seen == 10 ? Continue::cancel : Continue::yes;
    });
    EXPECT_EQ(summary.frames, 10);
  }
}

TEST(Segmentation, RefusesAStreamOfOtherFrames) {
  const Clip clip = make_clip(testing::clip_of(5));
  FrameFormat other = clip.format;
  other.width += 1;
  BackgroundStream stream(other, {});
  ClipSource source(clip);
  EXPECT_THROW(segment(source, stream, [](const SegmentedFrame&) { return Continue::yes; }),
               InputError);
}

TEST(LowRankVideo, FindsWhatMoves) {
  ClipOptions made;
  made.flicker = 0.1;
  const Clip clip = make_clip(made);
  for (const int rank : {1, 2}) {
    ClipSource source(clip);
    Masks masks;
    LowRankVideoOptions options;
    options.rank = rank;
    segment_low_rank(source, options, [&](const SegmentedFrame& segmented) {
      masks.push_back(segmented.decision.mask);
      return Continue::yes;
    });
    EXPECT_GT(f_of(clip, masks), 0.85) << rank;
  }
}

TEST(LowRankVideo, TheTensorMethodGivesTheSupportOfS) {
  ClipOptions made;
  made.noise = 0;
  made.frames = 40;
  const Clip clip = make_clip(made);
  ClipSource source(clip);
  Masks masks;
  LowRankVideoOptions options;
  options.model = VideoModel::cp;
  options.rank = 4;
  segment_low_rank(source, options, [&](const SegmentedFrame& segmented) {
    masks.push_back(segmented.decision.mask);
    return Continue::yes;
  });
  ASSERT_EQ(masks.size(), clip.frames.size());
  EXPECT_GT(f_of(clip, masks), 0.5);
}

TEST(LowRankVideo, RefusesWhatItCannotHold) {
  const Clip clip = make_clip(testing::clip_of(20));
  LowRankVideoOptions options;
  const auto visit = [](const SegmentedFrame&) { return Continue::yes; };
  {
    ClipSource source(clip);
    options.memory = 1000;
    EXPECT_THROW(segment_low_rank(source, options, visit), InputError);
  }
  options.memory = Index{1} << 30;
  {
    ClipSource source(clip);
    options.rank = 21;
    EXPECT_THROW(segment_low_rank(source, options, visit), OptionError);
  }
}

}  // namespace
}  // namespace sunder
