#include "sunder/video/background.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "core/files/state_file.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"
#include "video/synthetic_clip.hpp"

namespace sunder {
namespace {

using testing::Clip;
using testing::ClipOptions;
using testing::f_of;
using testing::make_clip;
using Masks = std::vector<std::vector<std::uint8_t>>;

Masks batch(const Clip& clip, int threads = 1) {
  BackgroundOptions options;
  options.threads = threads;
  BackgroundModel model(clip.format, options);
  model.learn(clip.frames);
  Masks masks;
  for (const Frame& frame : clip.frames) masks.push_back(model.decide(frame).mask);
  return masks;
}

Masks stream(const Clip& clip, int threads = 1) {
  BackgroundOptions options;
  options.threads = threads;
  BackgroundStream stream(clip.format, options);
  Masks masks;
  const auto take = [&](std::vector<JudgedFrame> judged) {
    for (JudgedFrame& one : judged) masks.push_back(std::move(one.decision.mask));
  };
  for (const Frame& frame : clip.frames) take(stream.push(frame));
  take(stream.finish());
  return masks;
}

TEST(Background, FindsWhatMoves) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (const Index channels : {1, 3}) {
      for (const int bits : {8, 16}) {
        for (const double contrast : {70.0, -60.0}) {
          ClipOptions options;
          options.channels = channels;
          options.bits = bits;
          options.contrast = contrast;
          options.flicker = 0.05;
          options.seed = seed;
          const Clip clip = make_clip(options);
          // Neighbourhoods of 5 x 5 round the corners of a square of 14.
          EXPECT_GT(f_of(clip, batch(clip)), 0.88) << channels << ' ' << bits << ' ' << contrast;
          EXPECT_GT(f_of(clip, stream(clip)), 0.88) << channels << ' ' << bits << ' ' << contrast;
        }
      }
    }
  }
}

TEST(Background, FindsNothingWhereNothingMoves) {
  for (const double noise : {0.0, 3.0, 12.0}) {
    ClipOptions options;
    options.side = 0;
    options.noise = noise;
    options.flicker = 0.1;
    const Clip clip = make_clip(options);
    for (const Masks& masks : {batch(clip), stream(clip)}) {
      ASSERT_EQ(masks.size(), clip.frames.size());
      EXPECT_EQ(f_of(clip, masks), 1) << noise;
    }
  }
}

TEST(Background, GivesTheImageBehindTheObjects) {
  ClipOptions options;
  options.noise = 1;
  const Clip with = make_clip(options);
  options.side = 0;
  options.noise = 0;
  const Clip without = make_clip(options);
  BackgroundModel model(with.format, {});
  model.learn(with.frames);
  const Frame image = model.background(FrameDecision{});
  for (std::size_t p = 0; p < image.bytes.size(); ++p) {
    EXPECT_NEAR(image.bytes[p], without.frames[0].bytes[p], 2);
  }
}

TEST(Background, ACameraThatShakes) {
  ClipOptions options;
  options.height = 90;
  options.width = 120;
  Rng rng(4, 0);
  for (int t = 0; t < options.frames; ++t) {
    options.shake.push_back({rng.uniform(-4, 4), rng.uniform(-4, 4)});
  }
  options.relief = 3;
  const Clip clip = make_clip(options);
  EXPECT_GT(f_of(clip, batch(clip)), 0.8);
  EXPECT_GT(f_of(clip, stream(clip)), 0.8);
  BackgroundOptions still;
  still.alignment = Alignment::off;
  BackgroundModel model(clip.format, still);
  model.learn(clip.frames);
  Masks masks;
  for (const Frame& frame : clip.frames) masks.push_back(model.decide(frame).mask);
  EXPECT_LT(f_of(clip, masks), 0.75);
}

TEST(Background, TheSameBitsForAnyNumberOfThreads) {
  ClipOptions options;
  options.flicker = 0.05;
  options.channels = 3;
  const Clip clip = make_clip(options);
  EXPECT_EQ(batch(clip, 1), batch(clip, 3));
  EXPECT_EQ(stream(clip, 1), stream(clip, 3));
}

TEST(Background, DegenerateClips) {
  for (const int frames : {1, 2, 5}) {
    for (const Index side : {1, 3, 40}) {
      ClipOptions options;
      options.height = side;
      options.width = side;
      options.frames = frames;
      options.side = 0;
      const Clip clip = make_clip(options);
      EXPECT_EQ(batch(clip).size(), clip.frames.size());
      EXPECT_EQ(stream(clip).size(), clip.frames.size());
    }
  }
  Clip black = make_clip(testing::clip_of(10));
  for (Frame& frame : black.frames) std::fill(frame.bytes.begin(), frame.bytes.end(), 0);
  for (const auto& mask : batch(black)) {
    EXPECT_EQ(std::count(mask.begin(), mask.end(), 0), black.format.pixels());
  }
  BackgroundModel model(black.format, {});
  EXPECT_THROW(model.learn({}), InputError);
  EXPECT_THROW(model.decide(Frame{}), InputError);
}

/// A square that stands still until frame 40 and then is gone.
Clip ghost_clip(int frames, int from, int until) {
  ClipOptions options;
  options.side = 0;
  options.frames = frames;
  Clip clip = make_clip(options);
  for (int t = from; t < until; ++t) {
    for (Index i = 20; i < 40; ++i) {
      for (Index j = 30; j < 50; ++j) {
        const auto p = static_cast<std::size_t>(i * clip.format.width + j);
        clip.frames[t].bytes[p] = 220;
        clip.truth[t][p] = 255;
      }
    }
  }
  return clip;
}

Index set_at(const std::vector<std::uint8_t>& mask) {
  return static_cast<Index>(std::count(mask.begin(), mask.end(), 255));
}

TEST(BackgroundStream, ForgetsGhostsButNotWhoStandsStill) {
  // There from the beginning, so that the background has it; then gone.
  const Masks gone = stream(ghost_clip(200, 0, 40));
  EXPECT_GT(set_at(gone[60]), 200);
  EXPECT_EQ(set_at(gone[190]), 0);
  // Comes, and stands still until the end.
  const Masks stays = stream(ghost_clip(300, 60, 300));
  EXPECT_EQ(set_at(stays[50]), 0);
  EXPECT_GT(set_at(stays[100]), 300);
  EXPECT_GT(set_at(stays[295]), 300);
}

TEST(BackgroundStream, GoesOnFromASavedStateWithTheSameMasks) {
  const testing::TemporaryFolder folder;
  const Clip clip = ghost_clip(150, 0, 40);
  const Masks whole = stream(clip);
  for (const std::size_t cut : {std::size_t{10}, std::size_t{25}, std::size_t{70}}) {
    Masks masks;
    const auto take = [&](std::vector<JudgedFrame> judged) {
      for (JudgedFrame& one : judged) masks.push_back(std::move(one.decision.mask));
    };
    BackgroundStream first(clip.format, {});
    for (std::size_t t = 0; t < cut; ++t) take(first.push(clip.frames[t]));
    first.save(folder / "state");
    BackgroundStream second = BackgroundStream::load(folder / "state");
    EXPECT_EQ(second.frames_seen(), static_cast<Index>(cut));
    for (std::size_t t = cut; t < clip.frames.size(); ++t) take(second.push(clip.frames[t]));
    EXPECT_EQ(masks, whole) << cut;
  }
}

TEST(BackgroundStream, RefusesADamagedState) {
  const testing::TemporaryFolder folder;
  const Clip clip = make_clip(testing::clip_of(30));
  BackgroundStream before(clip.format, {});
  for (const Frame& frame : clip.frames) before.push(frame);
  before.save(folder / "state");
  std::string bytes;
  {
    std::ifstream in(folder / "state", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto write = [&](const std::string& text) {
    std::ofstream(folder / "bad", std::ios::binary) << text;
  };
  std::string changed = bytes;
  changed[changed.size() / 2] ^= 1;
  for (const std::string& text :
       {std::string(), std::string("not a state at all"), bytes.substr(0, 20),
        bytes.substr(0, bytes.size() - 1), bytes + "x", changed}) {
    write(text);
    EXPECT_THROW(BackgroundStream::load(folder / "bad"), InputError);
  }
  EXPECT_THROW(BackgroundStream::load(folder / "none"), InputError);
}

TEST(BackgroundStream, AStateCannotAskForMoreThanTheFileAccountsFor) {
  const testing::TemporaryFolder folder;
  const Clip clip = make_clip(testing::clip_of(30));
  BackgroundStream stream(clip.format, {});
  for (const Frame& frame : clip.frames) stream.push(frame);
  stream.save(folder / "state");
  const StateKind kind{"sunderBG", 1, "the state of a background stream"};
  std::vector<std::byte> bytes = read_state(folder / "state", kind);
  const Index longest = Index{1} << 16;  // 2^32 pixels, whose images would take 32 GiB and more
  for (const std::size_t at : {std::size_t{0}, std::size_t{8}})
    std::memcpy(bytes.data() + at, &longest, sizeof longest);
  write_state(folder / "state", kind, bytes);
  EXPECT_THROW(BackgroundStream::load(folder / "state"), InputError);
}

}  // namespace
}  // namespace sunder
