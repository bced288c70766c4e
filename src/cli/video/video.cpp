/// `sunder video`: reads the options of a video job, runs it, and prints what it found.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/cli.hpp"
#include "cli/video/video_eval.hpp"
#include "sunder/core/error.hpp"
#include "sunder/video/video_job.hpp"

namespace sunder::cli {

namespace {

struct VideoCommand {
  std::string input;
  std::string output;
  std::string frames;
  std::string size;
  std::string load_state;
  std::string save_state;
  VideoJobOptions job;
  ConsoleOptions talk;

  ExitCode run();

 private:
  void read_frame_range();
  void read_size();
  void print(const VideoJobResult& result) const;
};

/// "a:b", "a:" and ":b".
void VideoCommand::read_frame_range() {
  if (frames.empty()) return;
  const auto wrong = [&] {
    return OptionError(fmt::format("--frames must be FIRST:END, as in 100:250, not '{}'", frames));
  };
  const auto number = [&](const std::string& text, Index otherwise) {
    if (text.empty()) return otherwise;
    if (text.find_first_not_of("0123456789") != std::string::npos || text.size() > 12) {
      throw wrong();
    }
    return static_cast<Index>(std::stoll(text));
  };
  const std::size_t colon = frames.find(':');
  if (colon == std::string::npos) throw wrong();
  job.reading.first = number(frames.substr(0, colon), 0);
  job.reading.last = number(frames.substr(colon + 1), -1);
}

void VideoCommand::read_size() {
  if (size.empty()) return;
  int width = 0;
  int height = 0;
  char rest = 0;
  if (std::sscanf(size.c_str(), "%dx%d%c", &width, &height, &rest) != 2) {
    throw OptionError(fmt::format("--size must be WIDTHxHEIGHT, as in 640x480, not '{}'", size));
  }
  job.reading.raw_width = width;
  job.reading.raw_height = height;
}

/// Large frames go back to the system when they are freed: a heap of them, full of gaps, would be
/// twice the size of what is in use, and a stream may run for days.
void return_freed_frames() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 2 << 20);
#endif
}

void VideoCommand::print(const VideoJobResult& result) const {
  for (const std::string& warning : result.warnings) {
    if (!talk.quiet) fmt::print(stderr, "sunder: warning: {}\n", warning);
  }
  if (talk.json) {
    auto json = nlohmann::ordered_json::parse(result.summary_json);
    json.erase("activity");
    json["output"] = output;
    fmt::print("{}\n", json.dump(2));
  }
  if (talk.for_people()) {
    const auto count = static_cast<double>(std::max<Index>(result.summary.frames, 1));
    fmt::print("{}\n{:.2f} s, {:.2f} ms for each frame, reading and writing included.\n",
               result.verdict, result.seconds, 1e3 * result.seconds / count);
    fmt::print("results in {}: background, foreground, mask, activity.csv, report.html\n", output);
  }
}

ExitCode VideoCommand::run() {
  if (input.empty()) {
    throw OptionError("a clip is missing: sunder video CLIP -o FOLDER, or see sunder video --help");
  }
  if (output.empty()) throw OptionError("-o is missing: the folder for the results");
  read_frame_range();
  read_size();
  return_freed_frames();
  job.load_state = load_state;
  job.save_state = save_state;
  job.reading.stop = [] { return interrupt_requested(); };
  const VideoJobResult result = [&] {
    ProgressBar bar(talk);
    job.progress = bar.callback();
    return run_video_job(input, output, job);
  }();
  print(result);
  if (!result.interrupted) return done;
  if (!talk.quiet) fmt::print(stderr, "sunder: interrupted; what was decoded is in {}\n", output);
  return interrupted;
}

void add_reading_flags(CLI::App& command, VideoCommand& state) {
  FrameOptions& reading = state.job.reading;
  command.add_option("--frames", state.frames, "FIRST:END of the frames to take, counted from 0")
      ->type_name("RANGE");
  command.add_option("--stride", reading.stride, "take every so many frames")
      ->capture_default_str();
  command.add_option("--scale", reading.scale, "of height and width, at most 1")
      ->capture_default_str();
  command.add_option("--fps", reading.fps, "frames per second, where the clip does not say");
  command.add_flag("--grey", reading.grey, "ignore colour");
  command.add_option("--layout", reading.layout,
                     "modes of an array: hwt, thw, hwct, thwc, ... [hwt or hwct]");
  command.add_option("--size", state.size, "of raw frames on standard input")->type_name("WxH");
  command.add_option("--pixel-format", reading.raw_format, "of raw frames, as FFmpeg calls it")
      ->capture_default_str();
}

void add_output_flags(CLI::App& command, VideoJobOptions& job) {
  const auto add_format = [&](const std::string& flag, std::string& value,
                              const std::string& help) {
    command.add_option(flag, value, help)
        ->check(CLI::IsMember(video_output_formats()))
        ->type_name("FORMAT");
  };
  add_format("--format", job.format, "of all outputs [npy for arrays, else mp4]");
  add_format("--background-format", job.background_format, "of the background");
  add_format("--foreground-format", job.foreground_format, "of the objects");
  add_format("--mask-format", job.mask_format, "of the masks");
  command.add_flag("--lossless", job.lossless, "videos keep every code");
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
  command.add_flag("--force", state->job.force, "replace a result that is already in the folder");
  command
      .add_option("--model", state->job.model,
                  "background (one image times a gain), low-rank (pixels x frames), or cp (the "
                  "paper's tensor method)")
      ->check(CLI::IsMember(video_job_models()))
      ->capture_default_str();
  command.add_option("--rank", state->job.rank, "of low-rank [2] and cp [1]")
      ->check(CLI::PositiveNumber);
  command.add_flag("--online", state->job.online, "decide frame by frame, without looking ahead");
  command.add_option("--load-state", state->load_state, "go on from a saved stream")
      ->type_name("FILE");
  command.add_option("--save-state", state->save_state, "save the stream at the end")
      ->type_name("FILE");
  add_reading_flags(command, *state);
  add_output_flags(command, state->job);
  command
      .add_option("--threads", state->job.threads,
                  "0: one for each processor if the frames are large")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_seed(command, state->job.seed, "seed of low-rank and cp");
  state->talk.add_flags(command);
  command.footer(
      "Writes background, foreground and mask (255 = object) as videos, images or arrays,\n"
      "activity.csv, summary.json and report.html. Nothing needs to be tuned. Ctrl-C ends a "
      "stream;\n"
      "what was decoded is kept (exit code 130).");
  return [state, eval, evaluate] { return eval->parsed() ? evaluate() : state->run(); };
}

}  // namespace sunder::cli
