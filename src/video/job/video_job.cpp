#include "sunder/video/video_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/require_option.hpp"
#include "core/stopwatch.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/video/low_rank_video.hpp"
#include "video/job/activity_log.hpp"
#include "video/job/clip_outputs.hpp"
#include "video/job/frame_album.hpp"
#include "video/page/video_page.hpp"

namespace sunder {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// What the folder of a job may hold.
const std::vector<std::string> file_names = {"background*",  "foreground*", "mask*",
                                             "activity.csv", "report.html", "summary.json"};

bool is_array(const std::string& name) {
  for (const char* ending : {".npy", ".mat", ".h5", ".hdf5"}) {
    if (name.ends_with(ending) || name.find(std::string(ending) + ":") != std::string::npos) {
      return true;
    }
  }
  return false;
}

void require_one_of(const std::string& value, const std::vector<std::string>& known,
                    const char* option) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return;
  throw OptionError(
      fmt::format("`{}` is '{}'; choose one of {}", option, value, fmt::join(known, ", ")));
}

void require_format(const std::string& value, const char* option) {
  if (!value.empty() && value != "auto") require_one_of(value, video_output_formats(), option);
}

void validate(const VideoJobOptions& options) {
  require_one_of(options.model, video_job_models(), "model");
  require_format(options.format, "format");
  require_format(options.background_format, "background-format");
  require_format(options.foreground_format, "foreground-format");
  require_format(options.mask_format, "mask-format");
  if (options.rank < 0)
    throw OptionError(fmt::format("`rank` is {}; expected 1 or more", options.rank));
  require_threads(options.threads);
  if (options.model == "background" && options.rank != 0) {
    throw OptionError("`rank` goes with `model` low-rank or cp; the background has rank 1");
  }
  if (options.model != "background" && options.online) {
    throw OptionError(
        fmt::format("`online` goes with `model` background, not with {}", options.model));
  }
  if (!options.online && !(options.load_state.empty() && options.save_state.empty())) {
    throw OptionError("`load-state` and `save-state` go with `online`");
  }
}

/// Small frames are done before a second thread has woken up.
int threads_for(const FrameFormat& format) {
  constexpr Index small_frame = Index{640} * 360;
  return format.pixels() <= small_frame ? 1 : 0;
}

/// The defaults that depend on other options filled in.
VideoJobOptions completed(VideoJobOptions options) {
  validate(options);
  if (options.model != "background") options.reading.grey = true;
  if (options.rank == 0) options.rank = options.model == "low-rank" ? 2 : 1;
  return options;
}

class VideoJob {
 public:
  VideoJob(const std::string& clip, const fs::path& folder, const VideoJobOptions& options)
      : clip_(clip),
        options_(completed(options)),
        folder_(folder, file_names, options.force),
        source_(open_frames(clip, options_.reading)),
        format_(source_->format()),
        frames_per_second_(source_->frames_per_second()),
        expected_(source_->expected_frames()),
        outputs_(folder_.path(), output_formats(), format_, frames_per_second_, options.lossless),
        log_(folder_.path() / "activity.csv"),
        album_(format_) {
    if (options_.threads == 0) options_.threads = threads_for(format_);
  }

  VideoJobResult run();

 private:
  OutputFormats output_formats() const;
  SegmentationSummary segment_clip(const SegmentedVisitor& visit);
  Continue take(const SegmentedFrame& segmented);
  bool stop_requested() const { return options_.reading.stop && options_.reading.stop(); }
  VideoJobResult describe(const SegmentationSummary& summary, double seconds) const;
  Json summary_of(const VideoJobResult& result) const;

  const std::string clip_;
  VideoJobOptions options_;
  StagedFolder folder_;
  std::unique_ptr<FrameSource> source_;
  const FrameFormat format_;
  const double frames_per_second_;
  const Index expected_;  ///< frames; -1: unknown
  ClipOutputs outputs_;
  ActivityLog log_;
  FrameAlbum album_;
  std::optional<BackgroundStream> stream_;  ///< of an online job
  bool cancelled_ = false;
};

OutputFormats VideoJob::output_formats() const {
  const auto choose = [&](const std::string& wanted) {
    const std::string& format = wanted.empty() ? options_.format : wanted;
    if (format != "auto") return format;
    return std::string(is_array(clip_) ? "npy" : "mp4");
  };
  return {choose(options_.background_format), choose(options_.foreground_format),
          choose(options_.mask_format)};
}

SegmentationSummary VideoJob::segment_clip(const SegmentedVisitor& visit) {
  if (options_.model != "background") {
    LowRankVideoOptions options;
    options.model = options_.model == "cp" ? VideoModel::cp : VideoModel::low_rank;
    options.rank = options_.rank;
    options.seed = options_.seed;
    options.background.threads = options_.threads;
    options.progress = options_.progress;
    return segment_low_rank(*source_, options, visit);
  }
  SegmentationOptions options;
  options.online = options_.online;
  options.background.threads = options_.threads;
  if (!options_.online) return segment(*source_, options, visit);
  stream_.emplace(options_.load_state.empty()
                      ? BackgroundStream(format_, options.background)
                      : BackgroundStream::load(options_.load_state, options_.threads));
  return segment(*source_, *stream_, visit,
                 options_.save_state.empty() ? AtTheEnd::judge_all : AtTheEnd::keep_waiting);
}

/// One frame that has been decided.
Continue VideoJob::take(const SegmentedFrame& segmented) {
  outputs_.write(segmented);
  log_.add(segmented);
  if (album_.wants(segmented.number)) {
    album_.add(segmented.number, segmented.frame, segmented.background(), segmented.decision.mask);
  }
  const std::string stage = expected_ > 0
                                ? fmt::format("frame {} of {}", segmented.number + 1, expected_)
                                : fmt::format("frame {}", segmented.number + 1);
  Progress progress;
  progress.stage = stage;
  progress.fraction =
      expected_ > 0 ? static_cast<double>(segmented.number) / static_cast<double>(expected_) : 0;
  if (report(options_.progress, progress) == Continue::cancel || stop_requested()) {
    cancelled_ = true;
  }
  return cancelled_ ? Continue::cancel : Continue::yes;
}

VideoJobResult VideoJob::describe(const SegmentationSummary& summary, double seconds) const {
  VideoJobResult result;
  result.summary = summary;
  result.format = format_;
  result.frames_per_second = frames_per_second_;
  result.mean_object_share = log_.mean_object_share();
  result.seconds = seconds;
  result.interrupted = cancelled_ || stop_requested();
  result.verdict =
      fmt::format("{} frames of {} x {}{}; objects cover {:.2f}% of the pixels on average.",
                  summary.frames, format_.width, format_.height,
                  format_.channels == 3 ? " in colour" : "", 100 * result.mean_object_share);
  result.warnings = source_->warnings();
  result.summary_json = summary_of(result).dump(2) + "\n";
  return result;
}

Json VideoJob::summary_of(const VideoJobResult& result) const {
  const ThinnedSeries& shares = log_.object_shares();
  return {{"sunder", SUNDER_VERSION},
          {"input", clip_},
          {"model", options_.model},
          {"rank", options_.rank},
          {"online", options_.online},
          {"frames", result.summary.frames},
          {"height", format_.height},
          {"width", format_.width},
          {"channels", format_.channels},
          {"bits", format_.bits},
          {"fps", frames_per_second_},
          {"first_frame", options_.reading.first},
          {"stride", options_.reading.stride},
          {"scale", options_.reading.scale},
          {"learned_from", result.summary.learned_from},
          {"followed", result.summary.followed},
          {"interrupted", result.interrupted},
          {"mean_object_share", result.mean_object_share},
          {"seconds", result.seconds},
          {"threads", options_.threads},
          {"warnings", result.warnings},
          {"activity",
           {{"stride", shares.stride()},
            {"object_share", shares.values()},
            {"gain", log_.gains().values()}}}};
}

VideoJobResult VideoJob::run() {
  const Stopwatch clock;
  const SegmentationSummary summary =
      segment_clip([&](const SegmentedFrame& segmented) { return take(segmented); });
  const double seconds = clock.seconds();
  if (summary.frames == 0 && options_.save_state.empty()) {
    if (cancelled_ || stop_requested()) throw Cancelled();
    throw InputError(fmt::format("{} has no frames", clip_));
  }
  outputs_.finish();
  log_.finish();
  const VideoJobResult result = describe(summary, seconds);
  if constexpr (SUNDER_WITH_REPORT != 0) {
    const VideoPage page{clip_, result.verdict, result.warnings, frames_per_second_,
                         summary.frames};
    write_text(folder_.path() / "report.html", render_video(page, album_, log_));
  }
  write_text(folder_.path() / "summary.json", result.summary_json);
  folder_.publish();
  // Last: whoever is killed before this does the same frames again, from the same state.
  if (!options_.save_state.empty()) stream_->save(options_.save_state);
  return result;
}

}  // namespace

const std::vector<std::string>& video_job_models() {
  static const std::vector<std::string> names = {"background", "low-rank", "cp"};
  return names;
}

const std::vector<std::string>& video_output_formats() {
  static const std::vector<std::string> names = {"mp4",  "mkv", "avi", "mov",
                                                 "webm", "png", "npy", "none"};
  return names;
}

VideoJobResult run_video_job(const std::string& clip, const fs::path& folder,
                             const VideoJobOptions& options) {
  return VideoJob(clip, folder, options).run();
}

}  // namespace sunder
