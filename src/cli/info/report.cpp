#include "report/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/cli.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

struct ReportCommand {
  std::string folder;
  std::string tensor;  ///< empty: the tensor that the summary names
  ConsoleOptions console;

  ExitCode run() const;

 private:
  SummaryContents summary() const;
  ReportPictures pictures(const RunDescription& run, const Decomposition& result) const;
  ReportPictures pictures_of(const std::string& location, const RunDescription& run,
                             const Decomposition& result) const;
  void print(const fs::path& page, const ReportPictures& pictures) const;
};

SummaryContents ReportCommand::summary() const {
  const fs::path path = fs::path(folder) / "summary.json";
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    throw InputError(fmt::format(
        "cannot read {}: expected a folder that 'sunder decompose -o' wrote", path.string()));
  }
  try {
    return read_summary(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("cannot use {}: {}", path.string(), error.what()));
  }
}

ReportPictures ReportCommand::pictures_of(const std::string& location, const RunDescription& run,
                                          const Decomposition& result) const {
  const LoadedTensor loaded = open_tensor(location)->load();
  const TensorView view = run.group.empty() ? loaded.view : loaded.view.grouped(run.group);
  return {sample_slices(view, result.low_rank, result.sparse), view.shape(), ""};
}

/// A tensor given on the command line must exist; the one that the summary names may have moved.
ReportPictures ReportCommand::pictures(const RunDescription& run,
                                       const Decomposition& result) const {
  if (!tensor.empty()) return pictures_of(tensor, run, result);
  try {
    return pictures_of(run.input, run, result);
  } catch (const InputError& error) {
    return {std::nullopt, result.low_rank.shape(),
            fmt::format("{}. Use 'sunder report RESULT --tensor FILE' to name the tensor.",
                        error.what())};
  }
}

void ReportCommand::print(const fs::path& page, const ReportPictures& pictures) const {
  if (console.json) {
    nlohmann::ordered_json json;
    json["report"] = page.string();
    json["slices"] = pictures.slices.has_value();
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  if (!console.for_people()) return;
  fmt::print("{} (open it in a browser)\n", page.string());
  if (!pictures.slices) fmt::print("without slices: {}\n", pictures.absent_because);
}

ExitCode ReportCommand::run() const {
  LowRankPlusSparse parts = read_low_rank_plus_sparse(folder);
  SummaryContents contents = summary();
  if (!(contents.shape == parts.low_rank.shape())) {
    throw InputError(fmt::format("the factors in {} have shape {}, but summary.json says {}",
                                 folder, to_string(parts.low_rank.shape()),
                                 to_string(contents.shape)));
  }
  Decomposition& result = contents.result;
  result.low_rank = std::move(parts.low_rank);
  result.set_sparse(std::move(parts.sparse));
  const ReportPictures found = pictures(contents.run, result);
  const fs::path page = fs::path(folder) / "report.html";
  stop_if_interrupted();
  write_text(page, render_report(contents.run, result, found));
  print(page, found);
  return done;
}

}  // namespace

Command add_report(CLI::App& command) {
  auto state = std::make_shared<ReportCommand>();
  command.add_option("result", state->folder, "folder that 'sunder decompose -o' wrote")
      ->required()
      ->type_name("FOLDER");
  command
      .add_option(
          "--tensor", state->tensor,
          "the tensor T, for pictures of its slices; by default the file that was decomposed")
      ->type_name("FILE");
  state->console.add_flags(command);
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
