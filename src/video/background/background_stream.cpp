/// The background model, which judges a clip frame by frame.

#include <algorithm>

#include "core/files/state_file.hpp"
#include "sunder/core/error.hpp"
#include "sunder/video/background.hpp"
#include "video/background/background_state.hpp"
#include "video/background/background_stream_state.hpp"
#include "video/background/reseed.hpp"

namespace sunder {

namespace {

constexpr int ring_frames = 48;                // by which ghosts are judged, at most
constexpr Index ring_bytes = Index{64} << 20;  // the ring has fewer frames if they are large
constexpr int longest_stride = 8;              // frames from one in the ring to the next, at most
constexpr int ghosts_every = 16;               // frames from one search for ghosts to the next
constexpr float presence_rate = 1.0F / 32;     // weight of the latest frame in `presence`
constexpr double most_noise_at_first = 15;     // grey levels; an object may widen an interval

constexpr StateKind state_kind{"sunderBG", 1, "the state of a background stream"};

template <class Archive>
void describe(Archive& archive, FrameFormat& format) {
  archive(format.height);
  archive(format.width);
  archive(format.channels);
  archive(format.bits);
  archive(format.offset);
  archive(format.scale);
}

template <class Archive>
void describe(Archive& archive, BackgroundOptions& options) {
  archive(options.interval);
  archive(options.least_noise);
  archive(options.most_noise);
  archive(options.saturation);
  archive(options.threshold);
  archive(options.smallest_object);
  archive(options.largest_hole);
  archive(options.warm_up);
  archive(options.memory);
  archive(options.alignment);
}

template <class Archive>
void describe_model(Archive& archive, BackgroundModel::State& core) {
  archive(core.image);
  archive(core.variance);
  archive(core.count);
  archive(core.reference_frame.bytes);
}

}  // namespace

template <class Archive>
void describe(Archive& archive, Frame& frame) {
  archive(frame.bytes);
}

template <class Archive>
void BackgroundStream::State::describe_progress(Archive& archive) {
  archive(warming);
  archive(waiting);
  archive(presence);
  archive(ring);
  archive(ring_gains);
  archive(ring_size);
  archive(next);
  archive(stride);
  archive(seen);
}

BackgroundStream::State::State(BackgroundModel started, bool warm)
    : model(std::move(started)),
      warming(!warm),
      presence(static_cast<std::size_t>(model.format().pixels()), 0.0F),
      ring_size(static_cast<int>(std::clamp<Index>(
          ring_bytes / std::max<Index>(model.format().bytes(), 1), 10, ring_frames))) {}

void BackgroundStream::State::remember(const Frame& frame, double gain) {
  if (seen % stride == 0) {
    if (static_cast<int>(ring.size()) < ring_size) {
      ring.push_back(frame);
      ring_gains.push_back(gain);
    } else {
      ring[next] = frame;
      ring_gains[next] = gain;
      next = (next + 1) % ring_size;
      // After each full turn the ring spans a longer time.
      if (next == 0 && stride < longest_stride) stride *= 2;
    }
  }
  ++seen;
}

FrameDecision BackgroundStream::State::judge(const Frame& seen_frame,
                                             BackgroundModel::State& core) {
  Shift shift;
  Frame still;
  if (core.aligns()) still = core.aligned(seen_frame, shift);
  const Frame& frame = core.aligns() ? still : seen_frame;
  core.take(frame);
  FrameDecision decision = core.decide();
  decision.shift = shift;
  core.find_keep(decision.mask);
  if (core.aligns()) {
    paint_unseen(decision.mask, core.format, shift, 0);
    paint_unseen(core.keep, core.format, shift, 0);
  }
  core.follow(decision.gain);
  const auto pixels = std::ssize(presence);
  const std::uint8_t* const mask = decision.mask.data();
  float* const present = presence.data();
#pragma omp parallel for num_threads(core.threads) schedule(static) if (core.threads > 1)
  for (Index p = 0; p < pixels; ++p) {
    const float now = mask[p] != 0 ? 1.0F : 0.0F;
    present[p] += presence_rate * (now - present[p]);
  }
  remember(frame, decision.gain);
  if (seen % ghosts_every == 0 && static_cast<int>(ring.size()) >= std::min(ring_size, 16)) {
    remove_ghosts(core, ring, ring_gains, presence);
  }
  if (core.aligns()) decision.mask = moved_mask(decision.mask, core.format, shift);
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

std::vector<JudgedFrame> BackgroundStream::push(Frame frame) {
  State& s = *state_;
  BackgroundModel::State& core = *s.model.state_;
  core.take(frame);  // checks its size
  if (s.warming) {
    s.waiting.push_back(std::move(frame));
    if (static_cast<int>(s.waiting.size()) < core.options.warm_up) return {};
    return finish();
  }
  std::vector<JudgedFrame> judged(1);
  judged.front().decision = s.judge(frame, core);
  judged.front().frame = std::move(frame);
  return judged;
}

std::vector<JudgedFrame> BackgroundStream::finish() {
  State& s = *state_;
  if (!s.warming || s.waiting.empty()) return {};
  BackgroundModel::State& core = *s.model.state_;
  core.look_for_shake(s.waiting);
  if (core.aligns()) {
    std::vector<Frame> still;
    Shift shift;
    for (const Frame& frame : s.waiting) still.push_back(core.aligned(frame, shift));
    core.start(still, most_noise_at_first);
  } else {
    core.start(s.waiting, most_noise_at_first);
  }
  s.warming = false;
  std::vector<JudgedFrame> judged;
  for (Frame& frame : s.waiting) {
    FrameDecision decision = s.judge(frame, core);
    judged.push_back({std::move(frame), std::move(decision)});
  }
  s.waiting.clear();
  s.waiting.shrink_to_fit();
  return judged;
}

bool BackgroundStream::warming_up() const { return state_->warming; }
Index BackgroundStream::frames_seen() const { return state_->seen + std::ssize(state_->waiting); }
Frame BackgroundStream::background(const FrameDecision& decision) const {
  return state_->model.background(decision);
}
const FrameFormat& BackgroundStream::format() const { return state_->model.format(); }

void BackgroundStream::save(const std::filesystem::path& file) const {
  State& s = *state_;
  BackgroundModel::State& core = *s.model.state_;
  StateWriter writer;
  describe(writer, core.format);
  describe(writer, core.options);
  describe_model(writer, core);
  s.describe_progress(writer);
  write_state(file, state_kind, writer.bytes());
}

BackgroundStream BackgroundStream::load(const std::filesystem::path& file, int threads) {
  StateReader reader(read_state(file, state_kind), file.string());
  FrameFormat format;
  BackgroundOptions options;
  describe(reader, format);
  describe(reader, options);
  options.threads = threads;
  reader.require(options.warm_up > 0 && options.memory > 0);
  constexpr Index longest = Index{1} << 16;
  reader.require(format.height > 0 && format.height <= longest && format.width > 0 &&
                 format.width <= longest && (format.channels == 1 || format.channels == 3) &&
                 (format.bits == 8 || format.bits == 16) &&
                 // The image and its variance must follow; memory is asked for only then.
                 2 * format.values() * static_cast<Index>(sizeof(float)) <= reader.bytes_left());
  auto state = std::make_unique<State>(BackgroundModel(format, options), true);
  BackgroundModel::State& core = *state->model.state_;
  const std::size_t values = core.image.size();
  const std::size_t pixels = core.count.size();
  describe_model(reader, core);
  state->describe_progress(reader);
  reader.finish();
  const std::vector<std::uint8_t>& reference = core.reference_frame.bytes;
  reader.require(reference.empty() || std::ssize(reference) == format.bytes());
  if (!reference.empty()) core.reference = GreyPyramid(core.reference_frame, format);
  const auto whole = [&](const Frame& frame) { return std::ssize(frame.bytes) == format.bytes(); };
  reader.require(core.image.size() == values && core.variance.size() == values &&
                 core.count.size() == pixels && state->presence.size() == pixels &&
                 std::all_of(state->ring.begin(), state->ring.end(), whole) &&
                 std::all_of(state->waiting.begin(), state->waiting.end(), whole) &&
                 state->ring_size > 0 && state->ring_size <= ring_frames && state->next >= 0 &&
                 state->next < state->ring_size &&
                 static_cast<int>(state->ring.size()) <= state->ring_size &&
                 state->ring_gains.size() == state->ring.size() && state->stride > 0 &&
                 state->stride <= longest_stride && state->seen >= 0);
  return BackgroundStream(std::move(state));
}

}  // namespace sunder
