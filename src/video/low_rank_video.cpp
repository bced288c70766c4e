// X   pixels x frames, grey levels     V  frames x rank: what changes over time
// A   pixels x rank                    L = A V'
//
// `low_rank` takes V from a robust decomposition of a sample of the pixels, away from the objects
// that the model of rank one sees: what changes over time is common to all of them. Each pixel is
// then a small robust regression onto V.
#include "sunder/video/low_rank_video.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/region_failure.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/rng.hpp"
#include "video/background/background_state.hpp"
#include "video/background/components.hpp"

namespace sunder {

namespace {

constexpr Index sampled_pixels = 256;
constexpr int regression_steps = 5;

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// x ~ V a with outliers, by Geman-McClure weights for noise of a known size. The first weights
/// decide which of several fits is found.
Vector fit_pixel(const Vector& x, const Matrix& v, Vector w, double noise) {
  Vector a;
  for (int step = 0; step < regression_steps; ++step) {
    const Matrix weighted = v.transpose() * w.asDiagonal();
    Matrix normal = weighted * v;
    normal.diagonal().array() += 1e-9 * (1 + normal.trace());
    a = normal.ldlt().solve(weighted * x);
    const Vector r = x - v * a;
    w = (1 + (r.array() / (2 * noise)).square()).square().inverse().matrix();
  }
  return a;
}

/// A clip that is all in memory.
class WholeClip {
 public:
  WholeClip(FrameSource& source, Index memory) : format_(source.format()) {
    if (format_.channels != 1)
      throw InputError("models of low rank take grey frames; ask for them");
    Frame frame;
    Index bytes = 0;
    while (source.next(frame)) {
      bytes += format_.bytes();
      if (bytes > memory) {
        throw InputError(fmt::format(
            "the clip takes more than {} MB, which this model must hold at once: take fewer frames "
            "(`frames`, `stride`), smaller ones (`scale`), or `model` background, which needs one "
            "frame at a time",
            memory >> 20));
      }
      frames_.push_back(std::move(frame));
      frame = {};
    }
  }
  const FrameFormat& format() const { return format_; }
  const std::vector<Frame>& frames() const { return frames_; }
  Index length() const { return std::ssize(frames_); }
  double level(Index pixel, Index t) const {
    const Frame& frame = frames_[t];
    const auto p = static_cast<std::size_t>(pixel);
    return 255 / format_.peak() *
           (format_.bits == 8 ? static_cast<double>(frame.codes8()[p])
                              : static_cast<double>(frame.codes16()[p]));
  }

 private:
  FrameFormat format_;
  std::vector<Frame> frames_;
};

Frame frame_of(const std::vector<float>& image, const FrameFormat& format) {
  Frame frame;
  frame.bytes.resize(format.bytes());
  const auto peak = static_cast<float>(format.peak());
  for (std::size_t p = 0; p < image.size(); ++p) {
    const float code = std::clamp(image[p] * peak / 255 + 0.5F, 0.0F, peak);
    if (format.bits == 8) {
      frame.bytes[p] = static_cast<std::uint8_t>(code);
    } else {
      reinterpret_cast<std::uint16_t*>(frame.bytes.data())[p] = static_cast<std::uint16_t>(code);
    }
  }
  return frame;
}

/// Shows every frame with a background image and a mask that `decide(t, image)` finds.
template <class F>
SegmentationSummary show_all(const WholeClip& clip, const SegmentedVisitor& visit, F&& decide) {
  SegmentationSummary summary;
  summary.learned_from = clip.length();
  std::vector<float> image(clip.format().pixels());
  for (Index t = 0; t < clip.length(); ++t) {
    const FrameDecision decision = decide(t, image);
    const SegmentedFrame segmented{t, clip.frames()[t], decision,
                                   [&] { return frame_of(image, clip.format()); }};
    ++summary.frames;
    if (visit(segmented) == Continue::cancel) break;
  }
  return summary;
}

/// The model of rank one, which says where objects are: not what the higher ranks may learn from.
struct Guide {
  Guide(const WholeClip& clip, const BackgroundOptions& options)
      : state(clip.format(), options), gains(clip.length()), keep(clip.frames().size()) {
    state.start(clip.frames(), options.most_noise);
    state.refine(clip.frames());
    std::vector<std::uint8_t> mask;
    for (std::size_t t = 0; t < keep.size(); ++t) {
      state.take(clip.frames()[t]);
      gains(static_cast<Index>(t)) = state.gain();
      state.find_mask(gains(static_cast<Index>(t)), mask);
      state.find_keep(mask);
      keep[t] = state.keep;
    }
  }
  BackgroundModel::State state;
  Vector gains;
  std::vector<std::vector<std::uint8_t>> keep;
};

/// V from a robust decomposition of some pixels, objects missing.
Matrix temporal_factor(const WholeClip& clip, const Guide& guide,
                       const LowRankVideoOptions& options) {
  const Index t_count = clip.length();
  std::vector<double> sample;
  Rng rng(options.seed, 0);
  Index taken = 0;
  for (Index attempt = 0; attempt < 8 * sampled_pixels && taken < sampled_pixels; ++attempt) {
    const auto p = rng.below(static_cast<std::uint64_t>(clip.format().pixels()));
    std::vector<double> row;
    Index seen = 0;
    for (Index t = 0; t < t_count; ++t) {
      const bool kept = guide.keep[t][p] != 0;
      seen += kept ? 1 : 0;
      row.push_back(kept ? clip.level(static_cast<Index>(p), t)
                         : std::numeric_limits<double>::quiet_NaN());
    }
    if (2 * seen < t_count) continue;  // mostly behind objects
    sample.insert(sample.end(), row.begin(), row.end());
    ++taken;
  }
  if (taken < options.rank) return guide.gains;  // nothing but objects: one image times a gain
  RunOptions run;
  run.rank = options.rank;
  run.seed = options.seed;
  run.threads = options.background.threads;
  run.collect_sparse = false;
  run.progress = options.progress;
  const Decomposition found =
      robust_cp(TensorView::of(sample.data(), Shape{taken, t_count}), run, {});
  if (found.outcome == Outcome::cancelled) throw Cancelled();
  return found.low_rank.factor(1);
}

SegmentationSummary by_low_rank(const WholeClip& clip, const LowRankVideoOptions& options,
                                const SegmentedVisitor& visit) {
  Guide guide(clip, options.background);
  BackgroundModel::State& state = guide.state;
  const Matrix v = temporal_factor(clip, guide, options);
  const Index pixels = clip.format().pixels();
  Matrix a(pixels, v.cols());
  RegionFailure failure;
#pragma omp parallel for num_threads(state.threads) schedule(static) if (state.threads > 1)
  for (Index p = 0; p < pixels; ++p) {
    failure.guard([&] {
      const auto b = static_cast<double>(state.image[p]);
      const double noise = std::sqrt(static_cast<double>(state.variance[p]));
      Vector x(clip.length());
      for (Index t = 0; t < clip.length(); ++t) x(t) = clip.level(p, t);
      const Vector r = x - b * guide.gains;
      const Vector w = (1 + (r.array() / (2 * noise)).square()).square().inverse().matrix();
      a.row(p) = fit_pixel(x, v, w, noise).transpose();
    });
  }
  failure.rethrow();
  return show_all(clip, visit, [&](Index t, std::vector<float>& image) {
    const Vector background = a * v.row(t).transpose();
    for (Index p = 0; p < pixels; ++p) {
      image[p] = static_cast<float>(background(p));
    }
    state.image = image;
    state.take(clip.frames()[t]);
    return state.decide_at(1);
  });
}

SegmentationSummary by_cp(const WholeClip& clip, const LowRankVideoOptions& options,
                          const SegmentedVisitor& visit) {
  const FrameFormat& format = clip.format();
  const Index t_count = clip.length();
  std::vector<float> levels(format.pixels() * t_count);
  for (Index t = 0; t < t_count; ++t) {
    for (Index p = 0; p < format.pixels(); ++p) {
      levels[p * t_count + t] = static_cast<float>(clip.level(p, t));
    }
  }
  RunOptions run;
  run.rank = options.rank;
  run.seed = options.seed;
  run.threads = options.background.threads;
  run.progress = options.progress;
  const std::unique_ptr<Method> method = make_method("rtd-als");
  method->set("tolerance", fmt::format("{}", options.tolerance));
  const Decomposition found = method->decompose(
      TensorView::of(levels.data(), Shape{format.height, format.width, t_count}), run);
  if (found.outcome == Outcome::cancelled) throw Cancelled();
  std::vector<std::vector<std::uint8_t>> masks(static_cast<std::size_t>(t_count),
                                               std::vector<std::uint8_t>(format.pixels(), 0));
  for (Index k = 0; k < found.sparse.count(); ++k) {
    const ModeIndices at = found.sparse.coordinates(k);
    masks[at[2]][at[0] * format.width + at[1]] = 255;
  }
  const CpModel& model = found.low_rank;
  return show_all(clip, visit, [&](Index t, std::vector<float>& image) {
    const Vector w = model.weights().cwiseProduct(model.factor(2).row(t).transpose());
    const Matrix background = model.factor(0) * w.asDiagonal() * model.factor(1).transpose();
    for (Index p = 0; p < format.pixels(); ++p) {
      image[p] = static_cast<float>(background(p / format.width, p % format.width));
    }
    FrameDecision decision;
    decision.mask = std::move(masks[t]);
    decision.object_share =
        static_cast<double>(std::count(decision.mask.begin(), decision.mask.end(), 255)) /
        static_cast<double>(format.pixels());
    return decision;
  });
}

}  // namespace

SegmentationSummary segment_low_rank(FrameSource& source, const LowRankVideoOptions& options,
                                     const SegmentedVisitor& visit) {
  const WholeClip clip(source, options.memory);
  const Index least = std::min({clip.length(), clip.format().pixels()});
  if (options.rank < 1 || options.rank > least) {
    throw OptionError(fmt::format("the rank must be from 1 to {}, the number of frames, but is {}",
                                  least, options.rank));
  }
  return options.model == VideoModel::cp ? by_cp(clip, options, visit)
                                         : by_low_rank(clip, options, visit);
}

}  // namespace sunder
