// A stream is in one of three phases: warming up (no model), tracking, relearning (the model was
// right once). In the first and the last, slices wait until the batch solver explains them
// together.
#include "sunder/algorithms/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/run/validation.hpp"
#include "algorithms/stream/batch_start.hpp"
#include "algorithms/stream/slice_window.hpp"
#include "core/files/state_file.hpp"
#include "core/statistics.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

using namespace streaming;

constexpr StateKind state_kind{"sunderST", 1, "the state of a stream"};

namespace {

enum class Phase : int { warming_up, tracking, relearning };

/// Slices that hold ten entries for each unknown of a row of the longest mode.
Index needed_slices(const Shape& shape, int rank) {
  const Index longest = *std::max_element(shape.begin(), shape.end());
  const Index per_slice = shape.entries() / longest;
  return (10 * Index{rank} + per_slice - 1) / per_slice;
}

void require_slice_shape(const Shape& shape) {
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  if (shape.order() >= 1 && shape.order() < max_order && !empty) return;
  throw InputError(
      fmt::format("slices of shape ({}) cannot be streamed: expected 1 to {} modes, none of them "
                  "empty",
                  to_string(shape), max_order - 1));
}

StreamOptions validated(const StreamOptions& options) {
  require_option(options.rank >= 1, "rank", "at least 1", options.rank);
  require_option(options.warm_up == 0 || options.warm_up >= 2, "warm-up",
                 "0 (chosen) or at least 2 slices", options.warm_up);
  require_option(options.forgetting >= 0 && options.forgetting <= 1, "forgetting",
                 "0 (chosen) or a number up to 1", options.forgetting);
  require_option(options.sweeps >= 1, "sweeps", "at least 1", options.sweeps);
  require_option(options.noise_width > 0 && std::isfinite(options.noise_width), "noise-width",
                 "a positive number", options.noise_width);
  require_option(options.threads >= 0, "threads", "0 or more", options.threads);
  return options;
}

}  // namespace

class RobustCpStream::State {
 public:
  State(const Shape& shape, const StreamOptions& options, std::uint64_t seed)
      : shape_(shape), options_(validated(options)), seed_(seed) {
    require_slice_shape(shape);
    const Index needed = needed_slices(shape, options.rank);
    const auto usual = std::max<Index>({6, 3 * Index{options.rank}, needed});
    warm_up_ = options.warm_up > 0 ? options.warm_up : usual;
    window_options_.capacity = std::max<Index>({warm_up_, usual, 12});
    // Where a few slices tell how the factors stand, older ones only tell how they stood.
    const bool few = needed < 4;
    window_options_.forgetting = options.forgetting > 0 ? options.forgetting : (few ? 0.9 : 1.0);
    window_options_.noise_width = options.noise_width;
    window_options_.moving = options.moving;
    window_options_.threads = options.threads;
    std::vector<Index> stacked(shape.begin(), shape.end());
    stacked.push_back(warm_up_);
    require_rank(options.rank, Shape(stacked));
    window_ = SliceWindow(shape, options.rank, window_options_);
  }

  SliceDecision push(const TensorView& view);

  /// Whether what came from a file fits together.
  bool fits() const {
    const bool known = phase_ >= static_cast<int>(Phase::warming_up) &&
                       phase_ <= static_cast<int>(Phase::relearning);
    return known && seen_ >= 0 && waited_ >= 0 && window_.fits() &&
           (phase() != Phase::tracking || (!window_.empty() && !predicted_.empty())) &&
           std::all_of(waiting_.begin(), waiting_.end(), [&](const HeldSlice& slice) {
             return slice.fits(shape_.entries(), options_.rank);
           });
  }

  template <class Archive>
  void describe(Archive& archive) {
    archive(seen_);
    archive(phase_);
    archive(known_sigma_);
    archive(waited_);
    archive(settled_at_);
    archive(waiting_);
    archive(predicted_);
    window_.describe(archive);
  }
  /// What a state belongs to.
  template <class Archive>
  static void describe_kind(Archive& archive, std::vector<Index>& extents, StreamOptions& options,
                            std::uint64_t& seed) {
    archive(extents);
    archive(options.rank);
    archive(options.warm_up);
    archive(options.forgetting);
    archive(options.moving);
    archive(options.sweeps);
    archive(options.noise_width);
    archive(seed);
  }

  Shape shape_;
  StreamOptions options_;
  std::uint64_t seed_;
  Index seen_ = 0;
  SliceWindow window_;
  std::vector<SliceDecision> late_;

 private:
  SliceDecision track(HeldSlice slice);
  SliceDecision wait(HeldSlice slice);
  bool learn();
  bool good_enough(const SliceWindow& fresh) const;
  bool explains(const HeldSlice& slice) const;
  double expected_sigma() const;
  Phase phase() const { return static_cast<Phase>(phase_); }
  void go_to(Phase phase) { phase_ = static_cast<int>(phase); }
  SliceDecision decide(const HeldSlice& slice, const Factors& factors) const;
  bool time_to_learn() const;

  Index warm_up_ = 0;
  WindowOptions window_options_;
  int phase_ = static_cast<int>(Phase::warming_up);
  double known_sigma_ = 0;  ///< of the inliers before the change
  Index waited_ = 0;        ///< slices that came since there is no model
  Index settled_at_ = 0;    ///< before this slice, a slice not explained is no new change
  std::deque<HeldSlice> waiting_;
  std::deque<double> predicted_;  ///< deviations of the latest slices from their predictions

 public:
  bool has_model() const { return phase() == Phase::tracking; }
};

SliceDecision RobustCpStream::State::push(const TensorView& view) {
  if (!(view.shape() == shape_)) {
    throw InputError(fmt::format("slice {} has shape {}, but this stream is of slices of shape {}",
                                 seen_, to_string(view.shape()), to_string(shape_)));
  }
  HeldSlice slice = hold(view, seen_);
  ++seen_;
  late_.clear();
  slice.w = Vector::Zero(options_.rank);
  if (slice.missing() == shape_.entries()) {  // nothing to learn from
    SliceDecision decision = decide(slice, window_.factors());
    decision.warming_up = phase() == Phase::warming_up;
    decision.relearning = phase() == Phase::relearning;
    return decision;
  }
  return phase() == Phase::tracking ? track(std::move(slice)) : wait(std::move(slice));
}

SliceDecision RobustCpStream::State::track(HeldSlice slice) {
  window_.advance_to(slice.number);
  regress(slice, window_.factors(), expected_sigma(), options_.noise_width);
  if (explains(slice)) {
    waiting_.clear();  // a single slice that is not explained is an accident
    predicted_.push_back(slice.sigma);
    if (std::ssize(predicted_) > window_options_.capacity) predicted_.pop_front();
    window_.add(std::move(slice));
    window_.sweep(options_.sweeps);
    SliceDecision decision = decide(window_.slices().back(), window_.factors());
    decision.explained = true;
    return decision;
  }
  if (slice.number < settled_at_) {  // the few slices after the change did not show everything
    waiting_ = window_.slices();
    waited_ = std::ssize(waiting_);
    go_to(Phase::relearning);
    return wait(std::move(slice));
  }
  SliceDecision decision = decide(slice, window_.factors());
  waiting_.push_back(std::move(slice));
  if (waiting_.size() < 2) return decision;
  known_sigma_ = expected_sigma();
  waited_ = std::ssize(waiting_);
  settled_at_ = waiting_.front().number + 2 * Index{options_.rank};
  go_to(Phase::relearning);
  decision.subspace_changed = true;
  decision.changed_at = waiting_.front().number;
  decision.relearning = true;
  if (time_to_learn() && learn()) {
    const SliceDecision report = decision;
    decision = decide(window_.slices().back(), window_.factors());
    decision.explained = true;
    decision.subspace_changed = true;
    decision.changed_at = report.changed_at;
  }
  return decision;
}

SliceDecision RobustCpStream::State::wait(HeldSlice slice) {
  const Phase before = phase();
  waiting_.push_back(std::move(slice));
  ++waited_;
  while (std::ssize(waiting_) > window_options_.capacity) waiting_.pop_front();
  if (time_to_learn() && learn()) {
    SliceDecision decision = decide(window_.slices().back(), window_.factors());
    decision.explained = true;
    return decision;
  }
  SliceDecision decision = decide(waiting_.back(), window_.factors());
  decision.warming_up = before == Phase::warming_up;
  decision.relearning = before == Phase::relearning;
  return decision;
}

/// Attempts cost as much as a batch run, so not at every slice.
bool RobustCpStream::State::time_to_learn() const {
  const Index rank = options_.rank;
  if (phase() == Phase::warming_up) {
    return waited_ >= warm_up_ && (waited_ - warm_up_) % rank == 0;
  }
  // Two slices fit more than one model nearly as well under noise.
  const Index enough = std::min(2 * rank, std::max<Index>(3, (2 * rank + 2) / 3));
  const Index first = std::max(enough, needed_slices(shape_, options_.rank));
  return waited_ >= first && (waited_ - first) % std::max<Index>(1, rank / 2) == 0;
}

bool RobustCpStream::State::learn() {
  SliceWindow fresh = batch_start(shape_, options_.rank, window_options_, waiting_,
                                  seed_ + static_cast<std::uint64_t>(seen_));
  if (!good_enough(fresh)) return false;
  window_ = std::move(fresh);
  waiting_.clear();
  predicted_.clear();  // until there are predictions, the deviations of the fit stand for them
  for (const HeldSlice& slice : window_.slices()) predicted_.push_back(slice.sigma);
  go_to(Phase::tracking);
  for (const HeldSlice& slice : window_.slices()) {
    if (slice.number == window_.slices().back().number) break;
    late_.push_back(decide(slice, window_.factors_at(slice.number)));
    late_.back().explained = true;
  }
  return true;
}

/// Early attempts must explain the slices as well as those before the change were explained; from
/// 2r slices on, and in the warm-up, a fit will do that accounts for a quarter of what is there.
bool RobustCpStream::State::good_enough(const SliceWindow& fresh) const {
  const double sigma = fresh.typical_sigma();
  const double size = fresh.typical_size();
  const bool early = phase() == Phase::relearning && waited_ < 2 * Index{options_.rank};
  if (early) return sigma <= std::max(3 * known_sigma_, 0.02 * size);
  return 3 * size * size >= sigma * sigma;
}

/// The residuals of a slice that the model predicts are those of noise and of slow movement. More
/// than 3 times the usual deviation, and more than a tenth of that of the slice's own data, is a
/// change; so is the loss of half of what the model accounts for in other slices, or of half of a
/// slice that is heavier. What chance does to the estimate of the deviation is allowed for.
bool RobustCpStream::State::explains(const HeldSlice& slice) const {
  const double sigma = expected_sigma();
  const double data = deviation_of_data(slice);
  const double own = std::sqrt(std::max(data * data - sigma * sigma, 0.0));
  const double size = std::max(window_.typical_size(), own);
  const auto observed = static_cast<double>(shape_.entries() - slice.missing());
  const double jump = std::max(3 * sigma, 0.1 * data);
  const double half = std::sqrt(sigma * sigma + size * size / 2);
  const double scatter = robust_scale({predicted_.begin(), predicted_.end()}, sigma);
  const double chance = sigma + 6 * std::max(sigma / std::sqrt(observed), scatter);
  return slice.sigma <= std::max(std::min(jump, half), chance);
}

double RobustCpStream::State::expected_sigma() const {
  return median({predicted_.begin(), predicted_.end()});
}

SliceDecision RobustCpStream::State::decide(const HeldSlice& slice, const Factors& factors) const {
  SliceDecision decision;
  decision.slice = slice.number;
  decision.coefficients = slice.w;
  decision.missing = slice.missing();
  if (factors.empty()) return decision;
  streaming::SliceSplit parts = streaming::split(slice, factors);
  decision.positions = std::move(parts.positions);
  decision.values = std::move(parts.values);
  decision.residual = parts.residual;
  return decision;
}

RobustCpStream::RobustCpStream(const Shape& slice_shape, const StreamOptions& options,
                               std::uint64_t seed)
    : state_(std::make_unique<State>(slice_shape, options, seed)) {}
RobustCpStream::RobustCpStream(std::unique_ptr<State> state) : state_(std::move(state)) {}
RobustCpStream::~RobustCpStream() = default;
RobustCpStream::RobustCpStream(RobustCpStream&&) noexcept = default;
RobustCpStream& RobustCpStream::operator=(RobustCpStream&&) noexcept = default;

SliceDecision RobustCpStream::push(const TensorView& slice) { return state_->push(slice); }
const std::vector<SliceDecision>& RobustCpStream::late_decisions() const { return state_->late_; }
const std::vector<Matrix>& RobustCpStream::factors() const { return state_->window_.factors(); }
Index RobustCpStream::slices_seen() const { return state_->seen_; }
bool RobustCpStream::has_model() const { return state_->has_model(); }
const StreamOptions& RobustCpStream::options() const { return state_->options_; }

CpModel RobustCpStream::slice_model(Index slice) const {
  for (const HeldSlice& held : state_->window_.slices()) {
    if (held.number == slice) return {held.w, state_->window_.factors_at(slice)};
  }
  throw InputError(
      fmt::format("slice {} is not among those that the window of the stream holds: ask for a "
                  "slice when it is decided",
                  slice));
}

void RobustCpStream::save(const std::filesystem::path& path) const {
  StateWriter archive;
  std::vector<Index> extents(state_->shape_.begin(), state_->shape_.end());
  State::describe_kind(archive, extents, state_->options_, state_->seed_);
  state_->describe(archive);
  write_state(path, state_kind, archive.bytes());
}

RobustCpStream RobustCpStream::load(const std::filesystem::path& path, const Shape& slice_shape,
                                    const StreamOptions& options, std::uint64_t seed) {
  auto state = std::make_unique<State>(slice_shape, options, seed);
  StateReader archive(read_state(path, state_kind), path.string());
  std::vector<Index> extents;
  StreamOptions kind;
  std::uint64_t kind_seed = 0;
  State::describe_kind(archive, extents, kind, kind_seed);
  const auto require_same = [&](const auto& saved, const auto& asked, std::string_view what) {
    if (saved == asked) return;
    throw InputError(fmt::format(
        "cannot use the stream state {}: it has {} {}, but {} is asked for; give the same, or "
        "another file for a new stream",
        path.string(), what, saved, asked));
  };
  require_same(to_string(Shape(extents)), to_string(slice_shape), "slices of shape");
  require_same(kind.rank, options.rank, "rank");
  require_same(kind.warm_up, options.warm_up, "warm-up");
  require_same(kind.forgetting, options.forgetting, "forgetting");
  require_same(kind.moving, options.moving, "moving");
  require_same(kind.sweeps, options.sweeps, "sweeps");
  require_same(kind.noise_width, options.noise_width, "noise-width");
  require_same(kind_seed, seed, "seed");
  state->describe(archive);
  archive.finish();
  archive.require(state->fits());
  return RobustCpStream(std::move(state));
}

}  // namespace sunder
