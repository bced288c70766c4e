/// `sunder video eval`: masks against masks made by hand.

#include "cli/video/video_eval.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/study/frame_numbers.hpp"
#include "sunder/core/error.hpp"
#include "sunder/video/mask_score.hpp"
#include "sunder/video/open_frames.hpp"

namespace sunder::cli {

namespace {

struct VideoEvalCommand {
  std::string mask;
  std::string truth;
  std::string index;
  std::vector<int> ignored;
  std::vector<int> background{0};
  ConsoleOptions talk;

  ExitCode run() const;

 private:
  std::vector<TruthLabel> labels(const Frame& frame, const FrameFormat& format) const;
  std::vector<std::uint8_t> objects(const Frame& frame, const FrameFormat& format) const;
  MaskScore score() const;
};

std::vector<TruthLabel> VideoEvalCommand::labels(const Frame& frame,
                                                 const FrameFormat& format) const {
  const auto is_in = [](const std::vector<int>& list, int label) {
    return std::find(list.begin(), list.end(), label) != list.end();
  };
  std::vector<TruthLabel> found(format.pixels());
  for (std::size_t p = 0; p < found.size(); ++p) {
    const double code = format.bits == 8 ? frame.codes8()[p] : frame.codes16()[p];
    const int label = static_cast<int>(std::lround(format.offset + format.scale * code));
    found[p] = is_in(ignored, label)      ? TruthLabel::ignored
               : is_in(background, label) ? TruthLabel::background
                                          : TruthLabel::object;
  }
  return found;
}

/// The pixels of a mask that are objects. Videos that lose a little are cut at half the range.
std::vector<std::uint8_t> VideoEvalCommand::objects(const Frame& frame,
                                                    const FrameFormat& format) const {
  std::vector<std::uint8_t> set(format.pixels());
  const bool exact = format.bits == 16 || mask.ends_with(".npy");
  for (std::size_t p = 0; p < set.size(); ++p) {
    const double code = format.bits == 16 ? frame.codes16()[p] : frame.codes8()[p];
    set[p] = (exact ? code != 0 : code > 127) ? 255 : 0;
  }
  return set;
}

MaskScore VideoEvalCommand::score() const {
  FrameOptions options;
  options.grey = true;
  options.stop = [] { return interrupt_requested(); };
  // The frame of each truth; none: one for one.
  const std::vector<Index> numbers = index.empty() ? std::vector<Index>() : frame_numbers(index);
  const std::unique_ptr<FrameSource> masks = open_frames(mask, options);
  const std::unique_ptr<FrameSource> truths = open_frames(truth, options);
  const FrameFormat mask_format = masks->format();
  const FrameFormat truth_format = truths->format();
  if (mask_format.height != truth_format.height || mask_format.width != truth_format.width) {
    throw InputError(fmt::format("masks of {} x {} cannot be compared with truth of {} x {}",
                                 mask_format.height, mask_format.width, truth_format.height,
                                 truth_format.width));
  }
  MaskScorer scorer;
  Frame mask_frame;
  Frame truth_frame;
  Index at = -1;
  for (std::size_t k = 0; truths->next(truth_frame); ++k) {
    if (!numbers.empty() && k >= numbers.size()) {
      throw InputError(
          fmt::format("--index has {} numbers, but the truth has more frames", numbers.size()));
    }
    const Index wanted = numbers.empty() ? static_cast<Index>(k) : numbers[k];
    while (at < wanted) {
      if (!masks->next(mask_frame)) {
        throw InputError(
            fmt::format("the truth is of frame {}, but the masks end with frame {}", wanted, at));
      }
      ++at;
    }
    scorer.add(objects(mask_frame, mask_format), labels(truth_frame, truth_format));
  }
  const MaskScore score = scorer.score();
  if (static_cast<std::size_t>(score.frames) < numbers.size()) {
    throw InputError(fmt::format("--index has {} numbers, but the truth only {} frames",
                                 numbers.size(), score.frames));
  }
  return score;
}

ExitCode VideoEvalCommand::run() const {
  const MaskScore found = score();
  if (talk.json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"frames", found.frames},
                                              {"precision", found.precision},
                                              {"recall", found.recall},
                                              {"f", found.f},
                                              {"mean_f", found.mean_f}}
                           .dump(2));
  }
  if (talk.for_people()) {
    fmt::print(
        "{} frames: precision {:.4f}, recall {:.4f}, F {:.4f} over all pixels; mean F of the "
        "frames {:.4f}\n",
        found.frames, found.precision, found.recall, found.f, found.mean_f);
  }
  return done;
}

}  // namespace

Command add_video_eval(CLI::App& command) {
  auto state = std::make_shared<VideoEvalCommand>();
  command.add_option("--mask", state->mask, "masks of the clip: .npy, a video or images")
      ->required()
      ->type_name("FILE");
  command.add_option("--truth", state->truth, "masks made by hand, of all frames or of some")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--index", state->index,
                  "the frame of each truth, counted from 0: a file or a list as in 3,14,15")
      ->type_name("FILE");
  add_integers(command, "--ignore", state->ignored, "labels of the truth that do not count");
  add_integers(command, "--background", state->background,
               "labels of the truth that are background; all others are objects");
  state->talk.add_flags(command);
  command.footer(
      "Change detection benchmarks: --background 0,50 --ignore 85,170 (shadows are background,\n"
      "unknown and outside do not count).");
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
