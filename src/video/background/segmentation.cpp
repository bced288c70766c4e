#include "sunder/video/segmentation.hpp"

#include <algorithm>
#include <utility>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// A sample holds all frames of a clip while they fit, and then every second, fourth, ... one.
class Sample {
 public:
  explicit Sample(std::size_t capacity) : capacity_(std::max<std::size_t>(capacity, 8)) {}

  bool full() const { return frames_.size() == capacity_; }
  bool complete() const { return stride_ == 1; }
  void add(Frame frame) {
    if (seen_++ % stride_ != 0) return;
    if (full()) {
      thin_out();
      if ((seen_ - 1) % stride_ != 0) return;
    }
    frames_.push_back(std::move(frame));
  }
  const std::vector<Frame>& frames() const { return frames_; }
  void clear() { std::vector<Frame>().swap(frames_); }

 private:
  void thin_out() {
    stride_ *= 2;
    std::vector<Frame> kept;
    for (std::size_t k = 0; k < frames_.size(); k += 2) kept.push_back(std::move(frames_[k]));
    frames_ = std::move(kept);
  }

  std::size_t capacity_;
  std::vector<Frame> frames_;
  Index stride_ = 1;
  Index seen_ = 0;
};

class Segmentation {
 public:
  Segmentation(FrameSource& source, const SegmentedVisitor& visit)
      : source_(source), visit_(visit) {}

  /// Returns false when the visitor wants no further frames.
  bool show(const Frame& frame, const FrameDecision& decision,
            const std::function<Frame()>& background) {
    const SegmentedFrame segmented{summary_.frames, frame, decision, background};
    ++summary_.frames;
    return visit_(segmented) == Continue::yes;
  }
  bool show(const std::vector<JudgedFrame>& judged, const BackgroundStream& stream) {
    return std::all_of(judged.begin(), judged.end(), [&](const JudgedFrame& one) {
      return show(one.frame, one.decision, [&] { return stream.background(one.decision); });
    });
  }
  bool judge(BackgroundModel& model, const Frame& frame) {
    const FrameDecision decision = model.decide(frame);
    return show(frame, decision, [&] { return model.background(decision); });
  }

  SegmentationSummary follow(BackgroundStream& stream, AtTheEnd at_the_end) {
    summary_.followed = true;
    Frame frame;
    while (source_.next(frame)) {
      if (!show(stream.push(std::exchange(frame, {})), stream)) return summary_;
    }
    if (at_the_end == AtTheEnd::judge_all) show(stream.finish(), stream);
    return summary_;
  }
  SegmentationSummary learn_and_judge(const SegmentationOptions& options);

 private:
  FrameSource& source_;
  const SegmentedVisitor& visit_;
  SegmentationSummary summary_;
};

SegmentationSummary Segmentation::learn_and_judge(const SegmentationOptions& options) {
  const FrameFormat format = source_.format();
  Sample sample(static_cast<std::size_t>(options.cache_bytes / std::max<Index>(format.bytes(), 1)));
  Frame frame;
  Index read = 0;
  bool ended = false;
  // A clip that can be read only once has to be kept whole until it is judged. `beyond` is the
  // first frame that does not fit.
  std::optional<Frame> beyond;
  while (read < options.learning_frames) {
    if (!source_.next(frame)) {
      ended = true;
      break;
    }
    if (sample.full() && sample.complete() && !source_.can_rewind()) {
      beyond = std::exchange(frame, {});
      break;
    }
    sample.add(std::exchange(frame, {}));
    ++read;
  }
  if (read == 0) return summary_;
  BackgroundModel model(format, options.background);
  model.learn(sample.frames());
  summary_.learned_from = static_cast<Index>(sample.frames().size());
  if (sample.complete()) {
    for (const Frame& one : sample.frames()) {
      if (!judge(model, one)) return summary_;
    }
    sample.clear();
  } else {
    sample.clear();
    if (!source_.rewind()) throw InputError("the clip cannot be read a second time");
    for (Index k = 0; k < read && source_.next(frame); ++k) {
      if (!judge(model, frame)) return summary_;
    }
  }
  if (ended) return summary_;
  BackgroundStream stream(std::move(model), options.background);
  if (beyond && !show(stream.push(std::move(*beyond)), stream)) return summary_;
  return follow(stream, AtTheEnd::judge_all);
}

}  // namespace

SegmentationSummary segment(FrameSource& source, const SegmentationOptions& options,
                            const SegmentedVisitor& visit) {
  if (options.learning_frames < 1) {
    throw OptionError("a model must be learned from at least 1 frame");
  }
  if (!options.online) return Segmentation(source, visit).learn_and_judge(options);
  BackgroundStream stream(source.format(), options.background);
  return segment(source, stream, visit);
}

SegmentationSummary segment(FrameSource& source, BackgroundStream& stream,
                            const SegmentedVisitor& visit, AtTheEnd at_the_end) {
  if (!(source.format() == stream.format())) {
    throw InputError(
        "the frames have another size, depth or number of channels than those that "
        "the stream has seen");
  }
  return Segmentation(source, visit).follow(stream, at_the_end);
}

}  // namespace sunder
