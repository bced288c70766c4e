// X   pixels x frames, grey levels     V  frames x rank: what changes over time
// A   pixels x rank                    L = A V'
//
// `low_rank` takes V from a robust decomposition of a sample of the pixels: what changes over time
// is common to all of them. Each pixel is then a small robust regression onto V.
#include "sunder/video/low_rank_video.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "sunder/algorithms/method.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/rng.hpp"
#include "video/background_state.hpp"
#include "video/components.hpp"

namespace sunder {

namespace {

constexpr Index sampled_pixels = 512;
constexpr int regression_steps = 12;

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// x ~ V a with outliers, by Geman-McClure weights whose scale falls to that of the noise.
struct PixelFit {
  Vector a;
  double noise = 0;
};
PixelFit fit_pixel(const Vector& x, const Matrix& v, double least_noise) {
  PixelFit fit;
  Vector w = Vector::Ones(x.size());
  double scale = 128;
  std::vector<double> sizes(static_cast<std::size_t>(x.size()));
  for (int step = 0; step < regression_steps; ++step) {
    const Matrix weighted = v.transpose() * w.asDiagonal();
    Matrix normal = weighted * v;
    normal.diagonal().array() += 1e-9 * (1 + normal.trace());
    fit.a = normal.ldlt().solve(weighted * x);
    const Vector r = x - v * fit.a;
    for (Index t = 0; t < r.size(); ++t) sizes[static_cast<std::size_t>(t)] = std::abs(r(t));
    fit.noise = std::max(least_noise, 1.4826 * median_of(sizes));
    scale = std::max(2 * fit.noise, scale / 2);
    w = (1 + (r.array() / scale).square()).square().inverse().matrix();
  }
  return fit;
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
            "(--frames, --stride), smaller ones (--scale), or --model background, which needs one "
            "frame at a time",
            memory >> 20));
      }
      frames_.push_back(std::move(frame));
      frame = {};
    }
  }
  const FrameFormat& format() const { return format_; }
  const std::vector<Frame>& frames() const { return frames_; }
  Index length() const { return static_cast<Index>(frames_.size()); }
  double level(Index pixel, Index t) const {
    const Frame& frame = frames_[static_cast<std::size_t>(t)];
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
  frame.bytes.resize(static_cast<std::size_t>(format.bytes()));
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
  std::vector<float> image(static_cast<std::size_t>(clip.format().pixels()));
  for (Index t = 0; t < clip.length(); ++t) {
    const FrameDecision decision = decide(t, image);
    const SegmentedFrame segmented{t, clip.frames()[static_cast<std::size_t>(t)], decision,
                                   [&] { return frame_of(image, clip.format()); }};
    ++summary.frames;
    if (visit(segmented) == Continue::cancel) break;
  }
  return summary;
}

Matrix temporal_factor(const WholeClip& clip, const LowRankVideoOptions& options) {
  const Index pixels = std::min(sampled_pixels, clip.format().pixels());
  const Index t_count = clip.length();
  std::vector<double> sample(static_cast<std::size_t>(pixels * t_count));
  Rng rng(options.seed, 0);
  for (Index k = 0; k < pixels; ++k) {
    const auto p =
        static_cast<Index>(rng.below(static_cast<std::uint64_t>(clip.format().pixels())));
    for (Index t = 0; t < t_count; ++t) {
      sample[static_cast<std::size_t>(k * t_count + t)] = clip.level(p, t);
    }
  }
  RunOptions run;
  run.rank = options.rank;
  run.seed = options.seed;
  run.threads = options.background.threads;
  run.collect_sparse = false;
  run.progress = options.progress;
  const Decomposition found =
      robust_cp(TensorView::of(sample.data(), Shape{pixels, t_count}), run, {});
  if (found.outcome == Outcome::cancelled) throw Cancelled();
  return found.low_rank.factor(1);
}

SegmentationSummary by_low_rank(const WholeClip& clip, const LowRankVideoOptions& options,
                                const SegmentedVisitor& visit) {
  const Matrix v = temporal_factor(clip, options);
  const Index pixels = clip.format().pixels();
  Matrix a(pixels, v.cols());
  BackgroundModel::State state(clip.format(), options.background);
#pragma omp parallel for num_threads(state.threads) schedule(static) if (state.threads > 1)
  for (Index p = 0; p < pixels; ++p) {
    Vector x(clip.length());
    for (Index t = 0; t < clip.length(); ++t) x(t) = clip.level(p, t);
    const PixelFit fit = fit_pixel(x, v, options.background.least_noise);
    a.row(p) = fit.a.transpose();
    const double noise = std::min(fit.noise, options.background.most_noise);
    state.variance[static_cast<std::size_t>(p)] = static_cast<float>(noise * noise);
  }
  return show_all(clip, visit, [&](Index t, std::vector<float>& image) {
    const Vector background = a * v.row(t).transpose();
    for (Index p = 0; p < pixels; ++p) {
      image[static_cast<std::size_t>(p)] = static_cast<float>(background(p));
    }
    state.image = image;
    state.take(clip.frames()[static_cast<std::size_t>(t)]);
    return state.decide_at(1);
  });
}

SegmentationSummary by_cp(const WholeClip& clip, const LowRankVideoOptions& options,
                          const SegmentedVisitor& visit) {
  const FrameFormat& format = clip.format();
  const Index t_count = clip.length();
  std::vector<float> levels(static_cast<std::size_t>(format.pixels() * t_count));
  for (Index t = 0; t < t_count; ++t) {
    for (Index p = 0; p < format.pixels(); ++p) {
      levels[static_cast<std::size_t>(p * t_count + t)] = static_cast<float>(clip.level(p, t));
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
  std::vector<std::vector<std::uint8_t>> masks(
      static_cast<std::size_t>(t_count),
      std::vector<std::uint8_t>(static_cast<std::size_t>(format.pixels()), 0));
  for (Index k = 0; k < found.sparse.count(); ++k) {
    const ModeIndices at = found.sparse.coordinates(k);
    masks[static_cast<std::size_t>(at[2])][static_cast<std::size_t>(at[0] * format.width + at[1])] =
        255;
  }
  const CpModel& model = found.low_rank;
  return show_all(clip, visit, [&](Index t, std::vector<float>& image) {
    const Vector w = model.weights().cwiseProduct(model.factor(2).row(t).transpose());
    const Matrix background = model.factor(0) * w.asDiagonal() * model.factor(1).transpose();
    for (Index p = 0; p < format.pixels(); ++p) {
      image[static_cast<std::size_t>(p)] =
          static_cast<float>(background(p / format.width, p % format.width));
    }
    FrameDecision decision;
    decision.mask = std::move(masks[static_cast<std::size_t>(t)]);
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
