/// `sunder reproduce`: repeats the paper's experiments and adds robust-cp to the curves.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/built_parts.hpp"
#include "cli/cli.hpp"
#include "cli/study/frame_numbers.hpp"
#include "cli/study/study_files.hpp"
#include "cli/study/study_page.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

struct ReproduceCommand {
  std::string what;
  std::string output;
  int runs = 5;
  int n = 100;
  bool quick = false;
  int workers = 0;
  double time_limit = 300;
  std::string clip;
  std::string masks;
  std::string frames;
  ConsoleOptions console;

  ExitCode run();

 private:
  bool wants(std::string_view part) const { return what == part || what == "all"; }
  std::vector<StudySetting> settings() const;
  void run_missing(StudyLog& log, const std::vector<StudySetting>& wanted) const;
  std::vector<ActivityRow> activity();
  void write(const std::vector<StudyResult>& results,
             const std::vector<ActivityRow>& activity) const;
  void print(const std::vector<CellSummary>& cells, const std::vector<ActivityRow>& activity) const;

  std::optional<ImagesData> pictures_;  ///< the pictures of fig3
};

std::vector<StudySetting> ReproduceCommand::settings() const {
  std::vector<StudySetting> all;
  const int side = quick ? std::min(n, 40) : n;
  const int repeats = quick ? std::min(runs, 2) : runs;
  if (wants("fig1") || wants("fig2")) {
    const std::vector<StudySetting> part = figure_settings(side, repeats, quick);
    all.insert(all.end(), part.begin(), part.end());
  }
  if (wants("phase")) {
    const std::vector<StudySetting> part =
        phase_settings(quick ? side : std::min(n, 60), repeats, quick);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

void ReproduceCommand::run_missing(StudyLog& log, const std::vector<StudySetting>& wanted) const {
  std::vector<StudySetting> missing;
  for (const StudySetting& setting : wanted) {
    if (!log.has(setting)) missing.push_back(setting);
  }
  if (missing.empty()) return;
  if (console.for_people() && missing.size() < wanted.size()) {
    fmt::print(stderr, "sunder: {} of {} runs are already done\n", wanted.size() - missing.size(),
               wanted.size());
  }
  ProgressBar bar(console);
  StudyOptions options;
  options.workers = workers;
  options.time_limit = time_limit;
  options.progress = bar.callback();
  options.on_result = [&](const StudyResult& result) { log.add(result); };
  run_study(missing, options);
}

std::vector<ActivityRow> ReproduceCommand::activity() {
  const LoadedTensor video = open_tensor(clip)->load();
  const LoadedTensor truth = open_tensor(masks)->load();
  const FrameMasks made_by_hand{truth.view, read_frame_numbers(frames)};
  ProgressBar bar(console);
  std::vector<ActivityRow> rows;
  if constexpr (with_video) rows = compare_activity(video.view, made_by_hand, bar.callback());
  pictures_ = activity_pictures(video.view, made_by_hand, rows);
  return rows;
}

void ReproduceCommand::write(const std::vector<StudyResult>& results,
                             const std::vector<ActivityRow>& activity) const {
  const fs::path folder(output);
  const std::vector<CellSummary> cells = summarise(results);
  if (!results.empty()) {
    write_text(folder / "runs.csv", csv_of(results));
    write_text(folder / "cells.csv", csv_of(cells));
  }
  for (const FigureFile& figure : figure_files(cells)) {
    write_text(folder / figure.name, figure.svg);
  }
  if (!activity.empty()) write_text(folder / "fig3.csv", csv_of(activity));
  nlohmann::ordered_json summary = {{"sunder", SUNDER_VERSION},
                                    {"what", what},
                                    {"n", n},
                                    {"runs", runs},
                                    {"quick", quick},
                                    {"time_limit", time_limit},
                                    {"results", results.size()},
                                    {"claims", claims(cells, activity)}};
  write_text(folder / "report.html", render_reproduction(cells, activity, pictures_));
  write_text(folder / "summary.json", summary.dump(2) + "\n");
}

void ReproduceCommand::print(const std::vector<CellSummary>& cells,
                             const std::vector<ActivityRow>& activity) const {
  if (!cells.empty()) {
    fmt::print("{:<6} {:<18} {:>4} {:<8} {:>7} {:>10} {:>12} {:>12} {:>9}\n", "panel", "method",
               "r", "support", "density", "recovered", "median error", "worst error", "seconds");
  }
  for (const CellSummary& c : cells) {
    fmt::print("{:<6} {:<18} {:>4} {:<8} {:>7.2f} {:>4} of {:<3} {:>12.2e} {:>12.2e} {:>9.2f}\n",
               c.panel, label_of(c.method), c.rank,
               c.support == Support::block ? "block" : "uniform", c.density, c.recovered, c.runs,
               c.median_error, c.largest_error, c.median_seconds);
  }
  for (const ActivityRow& row : activity) {
    fmt::print(
        "{:<28} {:<26} {:>7.2f} s {:>5} passes  F {:.3f} (precision {:.3f}, recall {:.3f})\n",
        row.name, row.method, row.seconds, row.passes, row.score.f, row.score.precision,
        row.score.recall);
  }
  fmt::print("\n");
  for (const std::string& sentence : claims(cells, activity)) fmt::print("{}\n", sentence);
}

ExitCode ReproduceCommand::run() {
  const bool has_clip = !clip.empty() && !masks.empty() && !frames.empty();
  if (!with_video && (what == "fig3" || has_clip)) {
    throw OptionError(
        "fig3 belongs to sunder::video, which this build leaves out; build sunder with "
        "SUNDER_VIDEO=ON");
  }
  if (what == "fig3" && !has_clip) {
    throw OptionError("fig3 needs the clip and its masks: give --clip, --masks and --frames");
  }
  if (runs < 1) throw OptionError(fmt::format("--runs must be at least 1, but is {}", runs));
  if (n < 20) throw OptionError(fmt::format("--n must be at least 20, but is {}", n));
  if (!(time_limit > 0)) {
    throw OptionError(fmt::format("--time-limit must be positive, but is {}", time_limit));
  }
  std::error_code problem;
  fs::create_directories(output, problem);
  if (problem) {
    throw OutputError(fmt::format("cannot create {}: {}", output, problem.message()));
  }
  const std::vector<StudySetting> wanted = settings();
  StudyLog log(fs::path(output) / "runs.jsonl");
  run_missing(log, wanted);
  std::vector<StudyResult> results;
  for (const StudySetting& setting : wanted) {  // in the order of the study, not of completion
    for (const StudyResult& result : log.results()) {
      if (result.setting == setting) {
        results.push_back(result);
        break;
      }
    }
  }
  std::vector<ActivityRow> rows;
  if (wants("fig3") && has_clip) rows = activity();
  write(results, rows);
  if (console.json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"output", output},
                                              {"results", results.size()},
                                              {"claims", claims(summarise(results), rows)}}
                           .dump(2));
  }
  if (console.for_people()) print(summarise(results), rows);
  if (console.for_people() && what == "all" && !has_clip) {
    fmt::print("fig3 was skipped: it needs --clip, --masks and --frames\n");
  }
  return done;
}

}  // namespace

Command add_reproduce(CLI::App& command) {
  auto state = std::make_shared<ReproduceCommand>();
  command
      .add_option("what", state->what, "fig1 (errors), fig2 (times), fig3 (video), phase, or all")
      ->required()
      ->check(CLI::IsMember({"fig1", "fig2", "fig3", "phase", "all"}));
  add_output(command, state->output, "folder for the results; a second call continues there")
      ->required();
  command.add_option("--runs", state->runs, "number of problems per cell")->capture_default_str();
  command.add_option("--n", state->n, "side of the tensors")->capture_default_str();
  command.add_flag("--quick", state->quick, "use small tensors and few cells; takes some minutes");
  command.add_option("--workers", state->workers, "simultaneous runs; 0: one per processor")
      ->capture_default_str();
  command.add_option("--time-limit", state->time_limit, "seconds that a run may take")
      ->capture_default_str();
  command.add_option("--clip", state->clip, "fig3: the video, H x W x T")->type_name("FILE");
  command.add_option("--masks", state->masks, "fig3: masks of some frames, H x W x K")
      ->type_name("FILE");
  command.add_option("--frames", state->frames, "fig3: the frame of each mask, from 0")
      ->type_name("FILE");
  state->console.add_flags(command);
  command.footer(
      "Every run adds a line to OUT/runs.jsonl when it is done; a second call runs only what is\n"
      "missing.\n"
      "fig1 and fig2 are two views of the same runs: n = 100, rank 5 and 25, scattered and block\n"
      "corruption, d = 10, 20, 30, 40.");
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
