#include "sunder/video/background.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "core/region_failure.hpp"
#include "core/require_option.hpp"
#include "core/statistics.hpp"
#include "sunder/core/error.hpp"
#include "video/background/background_state.hpp"
#include "video/background/components.hpp"
#include "video/background/shortest_interval.hpp"

namespace sunder {

namespace {

constexpr Index reach = 2;                // neighbourhoods of 5 x 5 reach two pixels
constexpr double width_of_share = 1.049;  // of 40% of a normal distribution, in its deviations
constexpr double prior_frames = 5;        // that the least noise counts for
constexpr double least_shake = 0.5;       // pixels; less is not worth the interpolation
constexpr Index gain_sample = 2048;       // pixels that the first guess of the gain uses
constexpr double clearly = 1.1;           // times as many pixels must be explained
constexpr double darkest = 16;            // grey levels; below them a ratio says little
constexpr double extreme_gain = 5;        // lights that change more leave nothing to compare with

/// Calls f(row) for every row, in several threads if there are any.
template <class F>
void for_rows(Index height, int threads, F&& f) {
  RegionFailure failure;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
  for (Index i = 0; i < height; ++i) failure.guard([&] { f(i); });
  failure.rethrow();
}

/// Finds the rows i - 2 to i + 2 of a plane; `outside` stands for rows beyond its border.
template <class T>
void rows_around(const T* plane, Index i, Index height, Index width, const T* outside,
                 const T* rows[5]) {
  for (Index k = -reach; k <= reach; ++k) {
    const Index row = i + k;
    rows[k + reach] = row < 0 || row >= height ? outside : plane + row * width;
  }
}

/// Returns how many of the indices i - 2 to i + 2 lie within the extent.
Index window(Index i, Index extent) {
  return std::min(i + reach, extent - 1) - std::max<Index>(i - reach, 0) + 1;
}

}  // namespace

BackgroundModel::State::State(const FrameFormat& frame_format,
                              const BackgroundOptions& background_options)
    : format(frame_format),
      options(background_options),
      threads(options.threads > 0 ? options.threads : omp_get_num_procs()),
      unit(static_cast<float>(255 / format.peak())) {
  require_threads(options.threads);
  const auto pixels = static_cast<std::size_t>(format.pixels());
  const auto values = static_cast<std::size_t>(format.values());
  image.assign(values, 0);
  variance.assign(values, static_cast<float>(options.least_noise * options.least_noise));
  count.assign(pixels, 1);
  energy.resize(pixels);
  keep.resize(pixels);
}

void BackgroundModel::State::start(std::span<const Frame> frames, double most_noise) {
  const auto most = static_cast<float>(options.memory);
  const std::vector<double> gains = rough_gains(frames, format);
  find_crowds(
      frames, gains, format, options.interval, threads, [&](std::size_t j, const Crowd& crowd) {
        image[j] = crowd.mean;
        const double noise =
            std::min(most_noise, std::hypot(crowd.width / width_of_share, options.least_noise));
        variance[j] = static_cast<float>(noise * noise);
        if (j < count.size()) count[j] = std::clamp(crowd.count, 1.0F, most);
      });
}

void BackgroundModel::State::refine(std::span<const Frame> frames) {
  std::vector<float> sums(image.size());
  std::vector<float> squares(image.size());
  std::vector<float> counts(count.size());
  std::vector<std::uint8_t> mask(count.size());
  for (const Frame& frame : frames) {
    take(frame);
    const double g = gain();
    find_mask(g, mask);
    find_keep(mask);
    with_planes([&](const auto& x) {
      for_rows(format.height, threads, [&](Index i) {
        const Index first = i * format.width;
        for (Index c = 0; c < format.channels; ++c) {
          const std::size_t from = at(first, c);
          kernels::add_moments(x[c] + first, unit, static_cast<float>(1 / g), keep.data() + first,
                               image.data() + from, sums.data() + from, squares.data() + from,
                               format.width);
        }
        kernels::add_counts(keep.data() + first, 1e9F, counts.data() + first, format.width);
      });
    });
  }
  const double least = options.least_noise * options.least_noise;
  const double most = options.most_noise * options.most_noise;
  for (Index p = 0; p < format.pixels(); ++p) {
    const double n = counts[p];
    if (n < 1) continue;
    count[p] = static_cast<float>(std::min<double>(n, options.memory));
    for (Index c = 0; c < format.channels; ++c) {
      const std::size_t j = at(p, c);
      const double mean = static_cast<double>(sums[j]) / n;
      const double spread = std::max(0.0, static_cast<double>(squares[j]) / n - mean * mean);
      image[j] += static_cast<float>(mean);
      const double v = (spread * n + prior_frames * least) / (n + prior_frames);
      variance[j] = static_cast<float>(std::clamp(v, least, most));
    }
  }
}

void BackgroundModel::State::take(const Frame& frame) {
  if (std::ssize(frame.bytes) != format.bytes()) {
    throw InputError("a frame has another size than the background model");
  }
  if (format.bits == 8) {
    planes8.take(frame, format);
  } else {
    planes16.take(frame, format);
  }
}

double BackgroundModel::State::guess_gain() const {
  const Index stride = std::max<Index>(1, format.pixels() / gain_sample);
  std::vector<double> ratios;
  double nearest = 1;
  with_planes([&](const auto& x) {
    const auto level = [&](Index p, Index c) {
      return static_cast<double>(unit) * static_cast<double>(x[c][p]);
    };
    for (Index p = stride / 2; p < format.pixels(); p += stride) {
      for (Index c = 0; c < format.channels; ++c) {
        const auto b = static_cast<double>(image[at(p, c)]);
        if (b > darkest) ratios.push_back(level(p, c) / b);
      }
    }
    if (ratios.empty()) return;
    const double usual = std::clamp(median(std::move(ratios)), 1 / extreme_gain, extreme_gain);
    // Where objects fill most of the frame, the median is a ratio of theirs.
    Index for_median = 0;
    Index for_one = 0;
    for (Index p = stride / 2; p < format.pixels(); p += stride) {
      for (Index c = 0; c < format.channels; ++c) {
        const std::size_t j = at(p, c);
        const auto b = static_cast<double>(image[j]);
        const double reach_of_noise = 2 * std::sqrt(static_cast<double>(variance[j]));
        for_median += std::abs(level(p, c) - usual * b) < reach_of_noise ? 1 : 0;
        for_one += std::abs(level(p, c) - b) < reach_of_noise ? 1 : 0;
      }
    }
    if (static_cast<double>(for_median) > clearly * static_cast<double>(for_one)) nearest = usual;
  });
  return nearest;
}

double BackgroundModel::State::gain() const {
  const auto guess = static_cast<float>(guess_gain());
  std::vector<kernels::GainSums> rows(format.height);
  with_planes([&](const auto& x) {
    for_rows(format.height, threads, [&](Index i) {
      kernels::GainSums& row = rows[i];
      for (Index c = 0; c < format.channels; ++c) {
        const std::size_t from = at(i * format.width, c);
        const kernels::GainSums sums =
            kernels::gain_sums(x[c] + i * format.width, unit, guess, image.data() + from,
                               variance.data() + from, format.width);
        row.bx += sums.bx;
        row.bb += sums.bb;
      }
    });
  });
  kernels::GainSums all;
  for (const kernels::GainSums& row : rows) {
    all.bx += row.bx;
    all.bb += row.bb;
  }
  // A black background has no brightness to compare the frame with.
  if (!(all.bb > 0) || !(all.bx > 0)) return static_cast<double>(guess);
  return std::clamp(all.bx / all.bb, 1 / extreme_gain, extreme_gain);
}

void BackgroundModel::State::find_energy(double gain) {
  const auto weight = static_cast<float>(1.0 / static_cast<double>(format.channels));
  with_planes([&](const auto& x) {
    for_rows(format.height, threads, [&](Index i) {
      const Index first = i * format.width;
      float* const row = energy.data() + first;
      std::fill_n(row, format.width, 0.0F);
      for (Index c = 0; c < format.channels; ++c) {
        const std::size_t from = at(first, c);
        kernels::add_energy(x[c] + first, unit, static_cast<float>(gain), image.data() + from,
                            variance.data() + from, weight, row, format.width);
      }
    });
  });
}

void BackgroundModel::State::find_mask(double gain, std::vector<std::uint8_t>& mask) {
  find_energy(gain);
  const auto width = static_cast<std::size_t>(format.width);
  mask.resize(energy.size());
  const std::vector<float> outside(width, 0.0F);
  std::vector<float> columns(width);
  for (std::size_t j = 0; j < width; ++j) {
    columns[j] = static_cast<float>(window(static_cast<Index>(j), format.width));
  }
  const auto most = static_cast<float>(options.saturation);
  RegionFailure failure;
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    std::vector<float> sums;
    std::vector<float> bound;
    failure.guard([&] {
      sums.assign(width + 2 * reach, 0.0F);
      bound.resize(width);
    });
#pragma omp for schedule(static)
    for (Index i = 0; i < format.height; ++i) {
      failure.guard([&] {
        const float* rows[5];
        rows_around(energy.data(), i, format.height, format.width, outside.data(), rows);
        kernels::sum_rows(rows, most, sums.data() + reach, format.width);
        const auto scale =
            static_cast<float>(options.threshold * static_cast<double>(window(i, format.height)));
        for (std::size_t j = 0; j < width; ++j) bound[j] = scale * columns[j];
        kernels::threshold_row(sums.data() + reach, bound.data(), mask.data() + i * format.width,
                               format.width);
      });
    }
  }
  failure.rethrow();
}

void BackgroundModel::State::find_keep(const std::vector<std::uint8_t>& mask) {
  const auto width = static_cast<std::size_t>(format.width);
  const std::vector<std::uint8_t> outside(width, 0);
  RegionFailure failure;
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    std::vector<std::uint8_t> row;
    failure.guard([&] { row.assign(width + 2 * reach, 0); });
#pragma omp for schedule(static)
    for (Index i = 0; i < format.height; ++i) {
      failure.guard([&] {
        const std::uint8_t* rows[5];
        rows_around(mask.data(), i, format.height, format.width, outside.data(), rows);
        kernels::join_rows(rows, row.data() + reach, format.width);
        kernels::keep_row(row.data() + reach, keep.data() + i * format.width, format.width);
      });
    }
  }
  failure.rethrow();
}

void BackgroundModel::State::follow(double gain) {
  const auto least = static_cast<float>(options.least_noise * options.least_noise);
  const auto most = static_cast<float>(options.most_noise * options.most_noise);
  with_planes([&](const auto& x) {
    for_rows(format.height, threads, [&](Index i) {
      const Index first = i * format.width;
      kernels::add_counts(keep.data() + first, static_cast<float>(options.memory),
                          count.data() + first, format.width);
      for (Index c = 0; c < format.channels; ++c) {
        const std::size_t from = at(first, c);
        kernels::follow(x[c] + first, unit, static_cast<float>(1 / gain), keep.data() + first,
                        count.data() + first, least, most, image.data() + from,
                        variance.data() + from, format.width);
      }
    });
  });
}

FrameDecision BackgroundModel::State::decide_at(double gain) {
  FrameDecision decision;
  decision.gain = gain;
  find_mask(decision.gain, decision.mask);
  const auto pixels = static_cast<double>(format.pixels());
  const Index set = clean_mask(decision.mask, format.height, format.width,
                               options.smallest_object * pixels, options.largest_hole * pixels);
  decision.object_share = static_cast<double>(set) / pixels;
  return decision;
}

BackgroundModel::BackgroundModel(const FrameFormat& format, const BackgroundOptions& options)
    : state_(std::make_unique<State>(format, options)) {}
BackgroundModel::~BackgroundModel() = default;
BackgroundModel::BackgroundModel(BackgroundModel&&) noexcept = default;
BackgroundModel& BackgroundModel::operator=(BackgroundModel&&) noexcept = default;

void BackgroundModel::State::look_for_shake(std::span<const Frame> frames) {
  if (options.alignment == Alignment::off) return;
  std::vector<const Frame*> list;
  for (const Frame& frame : frames) list.push_back(&frame);
  if (typical_shift(list, format) < least_shake) return;
  reference_frame = frames[frames.size() / 2];
  reference = GreyPyramid(reference_frame, format);
}

Frame BackgroundModel::State::aligned(const Frame& frame, Shift& shift) const {
  shift = find_shift(reference, GreyPyramid(frame, format));
  return moved_back(frame, format, shift);
}

void BackgroundModel::learn(std::span<const Frame> frames) {
  if (frames.empty()) throw InputError("a background cannot be learned from no frames");
  State& s = *state_;
  for (const Frame& frame : frames) s.take(frame);  // checks all sizes before the computation
  s.look_for_shake(frames);
  if (!s.aligns()) {
    s.start(frames, s.options.most_noise);
    s.refine(frames);
    return;
  }
  std::vector<Frame> still;
  Shift shift;
  for (const Frame& frame : frames) still.push_back(s.aligned(frame, shift));
  s.start(still, s.options.most_noise);
  s.refine(still);
}

FrameDecision BackgroundModel::decide(const Frame& frame) {
  State& s = *state_;
  s.take(frame);
  if (!s.aligns()) return s.decide();
  Shift shift;
  const Frame still = s.aligned(frame, shift);
  s.take(still);
  FrameDecision decision = s.decide();
  decision.shift = shift;
  paint_unseen(decision.mask, s.format, shift, 0);
  decision.mask = moved_mask(decision.mask, s.format, shift);
  return decision;
}

Frame BackgroundModel::background(const FrameDecision& decision) const {
  const State& s = *state_;
  const double gain = decision.gain;
  Frame frame;
  frame.bytes.resize(s.format.bytes());
  const double scale = gain / static_cast<double>(s.unit);
  const auto write = [&](auto* codes) {
    using Code = std::remove_pointer_t<decltype(codes)>;
    const auto peak = static_cast<float>(s.format.peak());
    for (Index c = 0; c < s.format.channels; ++c) {
      for (Index p = 0; p < s.format.pixels(); ++p) {
        const float value = static_cast<float>(scale) * s.image[s.at(p, c)] + 0.5F;
        codes[p * s.format.channels + c] = static_cast<Code>(std::clamp(value, 0.0F, peak));
      }
    }
  };
  if (s.format.bits == 8) {
    write(frame.bytes.data());
  } else {
    write(reinterpret_cast<std::uint16_t*>(frame.bytes.data()));
  }
  if (!s.aligns()) return frame;
  return moved_back(frame, s.format, {-decision.shift.y, -decision.shift.x});
}

const FrameFormat& BackgroundModel::format() const { return state_->format; }

}  // namespace sunder
