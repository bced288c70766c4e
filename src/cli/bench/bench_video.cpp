#include "cli/bench/bench_video.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/stopwatch.hpp"
#include "sunder/data/scene.hpp"
#include "sunder/video/background.hpp"

namespace sunder::cli {

namespace {

struct Size {
  Index height;
  Index width;
  Index frames;
  int threads;
};

std::vector<Frame> frames_of(const Scene& scene) {
  const Shape& shape = scene.video.shape();
  std::vector<Frame> frames(shape[2]);
  const auto* const codes = scene.video.view().typed<std::uint8_t>();
  for (std::size_t t = 0; t < frames.size(); ++t) {
    frames[t].bytes.resize(shape[0] * shape[1]);
    for (std::size_t p = 0; p < frames[t].bytes.size(); ++p) {
      frames[t].bytes[p] = codes[p * frames.size() + t];
    }
  }
  return frames;
}

double batch_seconds(const FrameFormat& format, const std::vector<Frame>& frames, int threads) {
  BackgroundOptions options;
  options.threads = threads;
  const Stopwatch clock;
  BackgroundModel model(format, options);
  model.learn(frames);
  for (const Frame& frame : frames) model.decide(frame);
  return clock.seconds() / static_cast<double>(frames.size());
}

double online_seconds(const FrameFormat& format, const std::vector<Frame>& frames, int threads) {
  BackgroundOptions options;
  options.threads = threads;
  std::vector<Frame> copies = frames;
  const Stopwatch clock;
  BackgroundStream stream(format, options);
  for (Frame& frame : copies) stream.push(std::move(frame));
  return clock.seconds() / static_cast<double>(frames.size());
}

}  // namespace

nlohmann::ordered_json bench_video(bool quick, const ConsoleOptions& console) {
  auto rows = nlohmann::ordered_json::array();
  if (console.for_people()) {
    fmt::print("\nbackground model, ms per frame (grey), best of three\n");
    fmt::print("{:>12} {:>8} {:>8} {:>8} {:>12}\n", "size", "threads", "batch", "online",
               "online fps");
  }
  const Index length = quick ? 60 : 200;
  for (const Size& size : {Size{128, 160, length, 1}, Size{240, 320, length, 1},
                           Size{1080, 1920, quick ? 30 : 60, 2}}) {
    stop_if_interrupted();
    SceneOptions scene;
    scene.shape = Shape{size.height, size.width, size.frames};
    const std::vector<Frame> frames = frames_of(generate_scene(scene));
    FrameFormat format;
    format.height = size.height;
    format.width = size.width;
    double batch = 1e9;
    double online = 1e9;
    for (int repeat = 0; repeat < 3; ++repeat) {
      batch = std::min(batch, batch_seconds(format, frames, size.threads));
      online = std::min(online, online_seconds(format, frames, size.threads));
    }
    rows.push_back({{"height", size.height},
                    {"width", size.width},
                    {"threads", size.threads},
                    {"batch_ms", 1e3 * batch},
                    {"online_ms", 1e3 * online}});
    if (console.for_people()) {
      fmt::print("{:>12} {:>8} {:>8.3f} {:>8.3f} {:>12.0f}\n",
                 fmt::format("{}x{}", size.width, size.height), size.threads, 1e3 * batch,
                 1e3 * online, 1 / online);
    }
  }
  return rows;
}

}  // namespace sunder::cli
