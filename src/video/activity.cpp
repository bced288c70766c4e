#include "sunder/video/activity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/stopwatch.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"
#include "sunder/video/background.hpp"

namespace sunder {

namespace {

using Masks = std::vector<std::vector<std::uint8_t>>;

struct Attempt {
  const char* name;
  const char* method;
  bool pixels_as_one_mode;
};
constexpr std::array attempts{Attempt{"tensor method (T-RPCA)", "rtd-als", false},
                              Attempt{"matrix method (M-RPCA)", "altproj-flat", true}};

class Experiment {
 public:
  Experiment(const TensorView& clip, const FrameMasks& truth) : clip_(clip), truth_(truth) {}

  ActivityRow by_method(const Attempt& attempt, const ProgressCallback& progress) const;
  ActivityRow by_background(const ProgressCallback& progress) const;

 private:
  Index pixels() const { return clip_.shape()[0] * clip_.shape()[1]; }
  /// The masks of the frames with truth, from S.
  Masks masks_of(const SparseTensor& sparse) const;
  MaskScore score(const Masks& masks) const;

  const TensorView& clip_;
  const FrameMasks& truth_;
};

Masks Experiment::masks_of(const SparseTensor& sparse) const {
  Masks masks(truth_.frames.size(), std::vector<std::uint8_t>(pixels(), 0));
  const bool flat = sparse.shape().order() == 2;
  for (Index k = 0; k < sparse.count(); ++k) {
    const ModeIndices at = sparse.coordinates(k);
    const Index pixel = flat ? at[0] : at[0] * clip_.shape()[1] + at[1];
    for (std::size_t m = 0; m < masks.size(); ++m) {
      if (truth_.frames[m] == at[flat ? 1 : 2]) masks[m][pixel] = 255;
    }
  }
  return masks;
}

MaskScore Experiment::score(const Masks& masks) const {
  MaskScorer scorer;
  const Index width = clip_.shape()[1];
  std::vector<TruthLabel> labels(pixels());
  for (std::size_t m = 0; m < masks.size(); ++m) {
    for (Index p = 0; p < pixels(); ++p) {
      labels[p] = truth_.masks({p / width, p % width, static_cast<Index>(m)}) != 0
                      ? TruthLabel::object
                      : TruthLabel::background;
    }
    scorer.add(masks[m], labels);
  }
  return scorer.score();
}

ActivityRow Experiment::by_method(const Attempt& attempt, const ProgressCallback& progress) const {
  const std::unique_ptr<Method> method = make_method(attempt.method);
  method->set("tolerance", "1e-3");
  RunOptions run;
  run.rank = 1;
  run.threads = 1;
  run.progress = progress;
  const TensorView view = attempt.pixels_as_one_mode ? clip_.grouped(std::array{0, 1}) : clip_;
  const Decomposition result = method->decompose(view, run);
  if (result.outcome == Outcome::cancelled) throw Cancelled();
  ActivityRow row;
  row.name = attempt.name;
  row.method = fmt::format("{} --tolerance 1e-3", attempt.method);
  row.outcome = to_string(result.outcome);
  row.seconds = result.seconds;
  row.passes = result.passes;
  row.sparse_fraction =
      static_cast<double>(result.sparse_count) / static_cast<double>(clip_.entries());
  row.masks = masks_of(result.sparse);
  row.score = score(row.masks);
  return row;
}

ActivityRow Experiment::by_background(const ProgressCallback& progress) const {
  FrameFormat format;
  format.height = clip_.shape()[0];
  format.width = clip_.shape()[1];
  std::vector<Frame> frames(clip_.shape()[2]);
  for (std::size_t t = 0; t < frames.size(); ++t) {
    frames[t].bytes.resize(pixels());
    for (Index p = 0; p < pixels(); ++p) {
      frames[t].bytes[p] = static_cast<std::uint8_t>(
          clip_({p / format.width, p % format.width, static_cast<Index>(t)}));
    }
  }
  ActivityRow row;
  row.name = "background model (ours)";
  row.method = "video --model background";
  row.outcome = to_string(Outcome::converged);
  row.passes = 3;
  row.masks.resize(truth_.frames.size());
  const Stopwatch clock;
  BackgroundModel model(format, {});
  model.learn(frames);
  double share = 0;
  for (std::size_t t = 0; t < frames.size(); ++t) {
    Progress now;
    now.stage = "background model";
    now.fraction = static_cast<double>(t) / static_cast<double>(frames.size());
    if (report(progress, now) == Continue::cancel) throw Cancelled();
    const FrameDecision decision = model.decide(frames[t]);
    share += decision.object_share;
    for (std::size_t m = 0; m < row.masks.size(); ++m) {
      if (truth_.frames[m] == static_cast<Index>(t)) row.masks[m] = decision.mask;
    }
  }
  row.seconds = clock.seconds();
  row.sparse_fraction = share / static_cast<double>(frames.size());
  row.score = score(row.masks);
  return row;
}

}  // namespace

std::vector<ActivityRow> compare_activity(const TensorView& clip, const FrameMasks& truth,
                                          const ProgressCallback& progress) {
  if (clip.order() != 3 || clip.type() != ScalarType::u8) {
    throw InputError(
        fmt::format("a clip is H x W x T of 8 bits (uint8), but this one has shape {} and type {}",
                    to_string(clip.shape()), to_string(clip.type())));
  }
  if (truth.masks.order() != 3 || truth.masks.shape()[0] != clip.shape()[0] ||
      truth.masks.shape()[1] != clip.shape()[1] ||
      truth.masks.shape()[2] != std::ssize(truth.frames)) {
    throw InputError(fmt::format("masks of shape {} with {} frames do not fit a clip of shape {}",
                                 to_string(truth.masks.shape()), truth.frames.size(),
                                 to_string(clip.shape())));
  }
  for (const Index frame : truth.frames) {
    if (frame < 0 || frame >= clip.shape()[2]) {
      throw InputError(fmt::format("a mask is of frame {}, but the clip has frames 0 to {}", frame,
                                   clip.shape()[2] - 1));
    }
  }
  const Experiment experiment(clip, truth);
  std::vector<ActivityRow> rows;
  for (const Attempt& attempt : attempts) rows.push_back(experiment.by_method(attempt, progress));
  rows.push_back(experiment.by_background(progress));
  return rows;
}

}  // namespace sunder
