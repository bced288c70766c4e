/// `sunder video`: background, moving objects and masks of a clip or a stream.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/cli.hpp"
#include "cli/video/video_eval.hpp"
#include "cli/video/video_page.hpp"
#include "core/stopwatch.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/video/low_rank_video.hpp"
#include "sunder/video/open_frames.hpp"
#include "sunder/video/segmentation.hpp"
#include "sunder/video/write_frames.hpp"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_points = 5000;  // of a series in the summary

const std::vector<std::string> format_names = {"mp4",  "mkv", "avi", "mov",
                                               "webm", "png", "npy", "none"};

bool is_array(const std::string& name) {
  for (const char* ending : {".npy", ".mat", ".h5", ".hdf5"}) {
    if (name.ends_with(ending) || name.find(std::string(ending) + ":") != std::string::npos) {
      return true;
    }
  }
  return false;
}

struct VideoCommand {
  std::string input;
  std::string output;
  bool force = false;
  std::string model = "background";
  int rank = 0;
  bool online = false;
  std::string load_state;
  std::string save_state;
  std::string frames;
  std::string size;
  std::string format = "auto";
  std::string background_format;
  std::string foreground_format;
  std::string mask_format;
  bool lossless = false;
  int threads = 0;
  std::uint64_t seed = 1;
  FrameOptions reading;
  Talk talk;

  ExitCode run();

 private:
  void check();
  FrameOptions frame_options();
  std::string format_of(const std::string& asked) const;
  SegmentationSummary segment_clip(FrameSource& source, ProgressBar& bar,
                                   const SegmentedVisitor& visit);

  std::optional<BackgroundStream> stream;  ///< of --online
};

/// The three outputs of a clip, each of them optional.
class Outputs {
 public:
  struct Formats {
    std::string background, foreground, mask;
  };
  Outputs(const fs::path& folder, const Formats& formats, const FrameFormat& format, double fps,
          bool lossless)
      : format_(format),
        background_(open(folder, "background", formats.background, format, fps, lossless, false)),
        foreground_(open(folder, "foreground", formats.foreground, format, fps, lossless, false)) {
    FrameFormat mask = format;
    mask.channels = 1;
    mask.bits = 8;
    mask.offset = 0;
    mask.scale = 1;
    mask_ = open(folder, "mask", formats.mask, mask, fps, lossless, true);
  }
  void write(const SegmentedFrame& segmented) {
    if (background_) background_->write(segmented.background());
    if (foreground_) {
      objects_ = segmented.frame;
      const auto bytes = static_cast<std::size_t>(format_.channels * format_.bits / 8);
      for (std::size_t p = 0; p < segmented.decision.mask.size(); ++p) {
        if (segmented.decision.mask[p] == 0) {
          std::fill_n(objects_.bytes.begin() + static_cast<std::ptrdiff_t>(p * bytes), bytes,
                      std::uint8_t{0});
        }
      }
      foreground_->write(objects_);
    }
    if (mask_) {
      objects_.bytes = segmented.decision.mask;
      mask_->write(objects_);
    }
  }
  void finish() {
    for (FrameSink* sink : {background_.get(), foreground_.get(), mask_.get()}) {
      if (sink != nullptr) sink->finish();
    }
  }

 private:
  static std::unique_ptr<FrameSink> open(const fs::path& folder, const std::string& name,
                                         const std::string& kind, const FrameFormat& format,
                                         double fps, bool lossless, bool mask) {
    if (kind == "none") return nullptr;
    WriteOptions options;
    options.lossless = lossless;
    options.mask = mask;
    const std::string file = kind == "png" ? name + "_%06d.png" : name + "." + kind;
    return create_frames(folder / file, format, fps, options);
  }

  FrameFormat format_;
  std::unique_ptr<FrameSink> background_, foreground_, mask_;
  Frame objects_;
};

void VideoCommand::check() {
  if (input.empty()) {
    throw OptionError("a clip is missing: sunder video CLIP -o FOLDER, or see sunder video --help");
  }
  if (output.empty()) throw OptionError("-o is missing: the folder for the results");
  if (model == "background" && rank != 0) {
    throw OptionError("--rank goes with --model low-rank or cp; the background has rank 1");
  }
  if (model != "background" && online) {
    throw OptionError(fmt::format("--online goes with --model background, not with {}", model));
  }
  if (!online && (!load_state.empty() || !save_state.empty())) {
    throw OptionError("--load-state and --save-state go with --online");
  }
  if (rank == 0) rank = model == "cp" ? 1 : 2;
}

/// "a:b", "a:", ":b" and "w" x "h".
FrameOptions VideoCommand::frame_options() {
  FrameOptions options = reading;
  if (!frames.empty()) {
    const std::size_t colon = frames.find(':');
    const auto number = [&](const std::string& text, Index otherwise) {
      if (text.empty()) return otherwise;
      if (text.find_first_not_of("0123456789") != std::string::npos || text.size() > 12) {
        throw OptionError(
            fmt::format("--frames must be FIRST:END, as in 100:250, not '{}'", frames));
      }
      return static_cast<Index>(std::stoll(text));
    };
    if (colon == std::string::npos) {
      throw OptionError(fmt::format("--frames must be FIRST:END, as in 100:250, not '{}'", frames));
    }
    options.first = number(frames.substr(0, colon), 0);
    options.last = number(frames.substr(colon + 1), -1);
  }
  if (!size.empty()) {
    int width = 0;
    int height = 0;
    char rest = 0;
    if (std::sscanf(size.c_str(), "%dx%d%c", &width, &height, &rest) != 2) {
      throw OptionError(fmt::format("--size must be WIDTHxHEIGHT, as in 640x480, not '{}'", size));
    }
    options.raw_width = width;
    options.raw_height = height;
  }
  if (model != "background") options.grey = true;
  options.stop = [] { return interrupt_requested(); };
  return options;
}

std::string VideoCommand::format_of(const std::string& asked) const {
  const std::string& wanted = asked.empty() ? format : asked;
  if (wanted != "auto") return wanted;
  return is_array(input) ? "npy" : "mp4";
}

SegmentationSummary VideoCommand::segment_clip(FrameSource& source, ProgressBar& bar,
                                               const SegmentedVisitor& visit) {
  if (model != "background") {
    LowRankVideoOptions options;
    options.model = model == "cp" ? VideoModel::cp : VideoModel::low_rank;
    options.rank = rank;
    options.seed = seed;
    options.background.threads = threads;
    options.progress = bar.callback();
    return segment_low_rank(source, options, visit);
  }
  SegmentationOptions options;
  options.online = online;
  options.background.threads = threads;
  if (!online) return segment(source, options, visit);
  stream.emplace(load_state.empty() ? BackgroundStream(source.format(), options.background)
                                    : BackgroundStream::load(load_state, threads));
  return segment(source, *stream, visit,
                 save_state.empty() ? AtTheEnd::judge_all : AtTheEnd::keep_waiting);
}

/// Large frames go back to the system when they are freed: a heap of them, full of gaps, would be
/// twice the size of what is in use, and a stream may run for days.
void return_freed_frames() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 2 << 20);
#endif
}

/// Small frames are done before a second thread has woken up.
int threads_for(const FrameFormat& format) {
  constexpr Index small_frame = Index{640} * 360;
  return format.pixels() <= small_frame ? 1 : 0;
}

ExitCode VideoCommand::run() {
  check();
  return_freed_frames();
  const FrameOptions options = frame_options();
  StagedFolder folder(
      output,
      {"background*", "foreground*", "mask*", "activity.csv", "report.html", "summary.json"},
      force);
  const std::unique_ptr<FrameSource> source = open_frames(input, options);
  const FrameFormat frame_format = source->format();
  const double fps = source->frames_per_second();
  if (threads == 0) threads = threads_for(frame_format);
  Outputs outputs(
      folder.path(),
      {format_of(background_format), format_of(foreground_format), format_of(mask_format)},
      frame_format, fps, lossless);
  std::ofstream activity(folder.path() / "activity.csv");
  activity << "frame,object_share,gain\n";
  FrameAlbum album(frame_format);
  ThinnedSeries shares(most_points);
  ThinnedSeries gains(most_points);
  double sum_of_shares = 0;
  SegmentationSummary summary;
  const Stopwatch clock;
  {
    ProgressBar bar(talk);
    const ProgressCallback progress = bar.callback();
    const Index expected = source->expected_frames();
    summary = segment_clip(*source, bar, [&](const SegmentedFrame& segmented) {
      outputs.write(segmented);
      const FrameDecision& decision = segmented.decision;
      activity << fmt::format("{},{:.6g},{:.6g}\n", segmented.number, decision.object_share,
                              decision.gain);
      shares.add(decision.object_share);
      gains.add(decision.gain);
      sum_of_shares += decision.object_share;
      if (album.wants(segmented.number)) {
        album.add(segmented.number, segmented.frame, segmented.background(), decision.mask);
      }
      Progress now;
      now.stage = expected > 0 ? fmt::format("frame {} of {}", segmented.number + 1, expected)
                               : fmt::format("frame {}", segmented.number + 1);
      now.fraction =
          expected > 0 ? static_cast<double>(segmented.number) / static_cast<double>(expected) : 0;
      report(progress, now);
      return interrupt_requested() ? Continue::cancel : Continue::yes;
    });
  }
  const double seconds = clock.seconds();
  const bool stopped = interrupt_requested();
  if (summary.frames == 0 && save_state.empty()) {
    if (stopped) throw Cancelled();
    throw InputError(fmt::format("{} has no frames", input));
  }
  outputs.finish();
  activity.close();
  if (!activity) throw WriteError("activity.csv cannot be written; is the disk full?");

  const double mean_share =
      summary.frames > 0 ? sum_of_shares / static_cast<double>(summary.frames) : 0;
  const std::vector<std::string> warnings = source->warnings();
  const std::string verdict =
      fmt::format("{} frames of {} x {}{}; objects cover {:.2f}% of the pixels on average.",
                  summary.frames, frame_format.width, frame_format.height,
                  frame_format.channels == 3 ? " in colour" : "", 100 * mean_share);
  Json json = {
      {"sunder", SUNDER_VERSION},
      {"input", input},
      {"model", model},
      {"rank", model == "background" ? 1 : rank},
      {"online", online},
      {"frames", summary.frames},
      {"height", frame_format.height},
      {"width", frame_format.width},
      {"channels", frame_format.channels},
      {"bits", frame_format.bits},
      {"fps", fps},
      {"first_frame", options.first},
      {"stride", options.stride},
      {"scale", options.scale},
      {"learned_from", summary.learned_from},
      {"followed", summary.followed},
      {"interrupted", stopped},
      {"mean_object_share", mean_share},
      {"seconds", seconds},
      {"threads", threads},
      {"warnings", warnings},
      {"activity",
       {{"stride", shares.stride()}, {"object_share", shares.values()}, {"gain", gains.values()}}}};
  write_text(folder.path() / "report.html",
             render_video({input, verdict, warnings, fps, summary.frames}, album, shares, gains));
  write_text(folder.path() / "summary.json", json.dump(2) + "\n");
  folder.publish();
  // Last: whoever is killed before this does the same frames again, from the same state.
  if (!save_state.empty()) stream->save(save_state);
  for (const std::string& warning : warnings) {
    if (!talk.quiet) fmt::print(stderr, "sunder: warning: {}\n", warning);
  }
  if (talk.json) {
    json.erase("activity");
    json["output"] = output;
    fmt::print("{}\n", json.dump(2));
  }
  if (talk.for_people()) {
    fmt::print("{}\n{:.2f} s, {:.2f} ms for each frame, reading and writing included.\n", verdict,
               seconds, 1e3 * seconds / static_cast<double>(std::max<Index>(summary.frames, 1)));
    fmt::print("results in {}: background, foreground, mask, activity.csv, report.html\n", output);
  }
  if (!stopped) return done;
  if (!talk.quiet) fmt::print(stderr, "sunder: interrupted; what was decoded is in {}\n", output);
  return interrupted;
}

}  // namespace

Command add_video(CLI::App& command) {
  auto state = std::make_shared<VideoCommand>();
  const Command evaluate = add_video_eval(*command.add_subcommand(
      "eval", "compare masks with masks made by hand: precision, recall, F"));
  CLI::App* const eval = command.get_subcommand("eval");
  command.require_subcommand(0, 1);
  command
      .add_option("clip", state->input,
                  "a video, images (frame_%04d.png), an array (.npy, .mat, HDF5), '-' for raw "
                  "frames on standard input, or an address (rtsp://..., /dev/video0)")
      ->type_name("CLIP");
  add_output(command, state->output, "folder for the results");
  command.add_flag("--force", state->force, "replace a result that is already in the folder");
  command
      .add_option("--model", state->model,
                  "background (one image times a gain), low-rank (pixels x frames), or cp (the "
                  "paper's tensor method)")
      ->check(CLI::IsMember({"background", "low-rank", "cp"}))
      ->capture_default_str();
  command.add_option("--rank", state->rank, "of low-rank [2] and cp [1]")
      ->check(CLI::PositiveNumber);
  command.add_flag("--online", state->online, "decide frame by frame, without looking ahead");
  command.add_option("--load-state", state->load_state, "go on from a saved stream")
      ->type_name("FILE");
  command.add_option("--save-state", state->save_state, "save the stream at the end")
      ->type_name("FILE");
  command.add_option("--frames", state->frames, "FIRST:END of the frames to take, counted from 0")
      ->type_name("RANGE");
  command.add_option("--stride", state->reading.stride, "take every so many frames")
      ->capture_default_str();
  command.add_option("--scale", state->reading.scale, "of height and width, at most 1")
      ->capture_default_str();
  command.add_option("--fps", state->reading.fps, "frames per second, where the clip does not say");
  command.add_flag("--grey", state->reading.grey, "ignore colour");
  command.add_option("--layout", state->reading.layout,
                     "modes of an array: hwt, thw, hwct, thwc, ... [hwt or hwct]");
  command.add_option("--size", state->size, "of raw frames on standard input")->type_name("WxH");
  command
      .add_option("--pixel-format", state->reading.raw_format, "of raw frames, as FFmpeg calls it")
      ->capture_default_str();
  const auto add_format = [&](const std::string& flag, std::string& value,
                              const std::string& help) {
    command.add_option(flag, value, help)->check(CLI::IsMember(format_names))->type_name("FORMAT");
  };
  add_format("--format", state->format, "of all outputs [npy for arrays, else mp4]");
  add_format("--background-format", state->background_format, "of the background");
  add_format("--foreground-format", state->foreground_format, "of the objects");
  add_format("--mask-format", state->mask_format, "of the masks");
  command.add_flag("--lossless", state->lossless, "videos keep every code");
  command
      .add_option("--threads", state->threads, "0: one for each processor if the frames are large")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_seed(command, state->seed, "seed of low-rank and cp");
  state->talk.add_flags(command);
  command.footer(
      "Writes background, foreground and mask (255 = object) as videos, images or arrays,\n"
      "activity.csv, summary.json and report.html. Nothing needs to be tuned. Ctrl-C ends a "
      "stream;\n"
      "what was decoded is kept (exit code 130).");
  return [state, eval, evaluate] { return eval->parsed() ? evaluate() : state->run(); };
}

}  // namespace sunder::cli
