/// The model frame by frame.

#include <algorithm>

#include "sunder/core/error.hpp"
#include "sunder/video/background.hpp"
#include "video/background_state.hpp"
#include "video/background_stream_state.hpp"
#include "video/reseed.hpp"

namespace sunder {

namespace {

constexpr int ring_frames = 48;                 // that ghosts are judged by
constexpr Index ring_bytes = Index{128} << 20;  // fewer of them if they are large
constexpr int longest_stride = 8;               // every so many frames goes into the ring
constexpr int ghosts_every = 16;                // frames
constexpr float presence_rate = 1.0F / 32;
constexpr double most_noise_at_first = 15;  // few frames: an object may widen an interval

}  // namespace

BackgroundStream::State::State(BackgroundModel started, bool warm)
    : model(std::move(started)), presence(static_cast<std::size_t>(model.format().pixels()), 0.0F) {
  warming = !warm;
  ring_size = static_cast<int>(
      std::clamp<Index>(ring_bytes / std::max<Index>(model.format().bytes(), 1), 12, ring_frames));
}

void BackgroundStream::State::remember(const Frame& frame) {
  if (seen % stride == 0) {
    if (static_cast<int>(ring.size()) < ring_size) {
      ring.push_back(frame);
    } else {
      ring[static_cast<std::size_t>(next)] = frame;
      next = (next + 1) % ring_size;
      // A full turn: from now on the ring spans a longer time.
      if (next == 0 && stride < longest_stride) stride *= 2;
    }
  }
  ++seen;
}

FrameDecision BackgroundStream::State::judge(const Frame& frame, BackgroundModel::State& core) {
  core.take(frame);
  FrameDecision decision = core.decide();
  core.find_keep(decision.mask);
  core.follow(decision.gain);
  for (std::size_t p = 0; p < presence.size(); ++p) {
    const float now = decision.mask[p] != 0 ? 1.0F : 0.0F;
    presence[p] += presence_rate * (now - presence[p]);
  }
  remember(frame);
  if (seen % ghosts_every == 0 && static_cast<int>(ring.size()) >= std::min(ring_size, 16)) {
    remove_ghosts(core, ring, presence);
  }
  return decision;
}

BackgroundStream::BackgroundStream(const FrameFormat& format, const BackgroundOptions& options)
    : state_(std::make_unique<State>(BackgroundModel(format, options), false)) {
  if (options.warm_up < 1) {
    throw OptionError("the warm-up of a stream must be at least 1 frame");
  }
}

BackgroundStream::BackgroundStream(BackgroundModel model, const BackgroundOptions& options)
    : state_(std::make_unique<State>(std::move(model), true)) {
  state_->model.state_->options = options;
}

BackgroundStream::BackgroundStream(std::unique_ptr<State> state) : state_(std::move(state)) {}
BackgroundStream::~BackgroundStream() = default;
BackgroundStream::BackgroundStream(BackgroundStream&&) noexcept = default;
BackgroundStream& BackgroundStream::operator=(BackgroundStream&&) noexcept = default;

std::vector<FrameDecision> BackgroundStream::push(const Frame& frame) {
  State& s = *state_;
  BackgroundModel::State& core = *s.model.state_;
  if (!s.warming) {
    std::vector<FrameDecision> one;
    one.push_back(s.judge(frame, core));
    return one;
  }
  core.take(frame);  // its size
  s.waiting.push_back(frame);
  if (static_cast<int>(s.waiting.size()) < core.options.warm_up) return {};
  return finish();
}

std::vector<FrameDecision> BackgroundStream::finish() {
  State& s = *state_;
  if (!s.warming || s.waiting.empty()) return {};
  BackgroundModel::State& core = *s.model.state_;
  core.start(s.waiting, most_noise_at_first);
  s.warming = false;
  std::vector<FrameDecision> decisions;
  for (const Frame& frame : s.waiting) decisions.push_back(s.judge(frame, core));
  s.waiting.clear();
  s.waiting.shrink_to_fit();
  return decisions;
}

bool BackgroundStream::warming_up() const { return state_->warming; }
Index BackgroundStream::frames_seen() const {
  return state_->seen + static_cast<Index>(state_->waiting.size());
}
Frame BackgroundStream::background(double gain) const { return state_->model.background(gain); }
const FrameFormat& BackgroundStream::format() const { return state_->model.format(); }

}  // namespace sunder
