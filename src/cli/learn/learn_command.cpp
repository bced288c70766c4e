#include "cli/learn/learn_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "sunder/io/npy.hpp"

namespace sunder::cli {

namespace {

std::string dumped(const LearnCommand::Json& summary) {
  // A vocabulary may not be valid UTF-8.
  return summary.dump(2, ' ', false, LearnCommand::Json::error_handler_t::replace);
}

}  // namespace

void LearnCommand::add_flags(CLI::App& command, const std::string& components, std::uint64_t& seed,
                             int& threads) {
  moments.add_flags(command);
  command.add_flag("--plain", plain,
                   "use the plain estimator, which is not robust, for comparison");
  command
      .add_option("--truth", truth,
                  fmt::format("folder with the true {}.npy: report the error", components))
      ->type_name("FOLDER");
  add_seed(command, seed,
           fmt::format("seed: the same input and seed give the same {}", components));
  command.add_option("--threads", threads, "number of threads; 0: one per processor")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_output(command, output, "folder for the results");
  command.add_flag("--force", force, "replace a result that is already in the folder");
  console.add_flags(command);
}

std::optional<StagedFolder> LearnCommand::stage(std::vector<std::string> files) const {
  if (output.empty()) return std::nullopt;
  for (const char* name :
       {"weights.npy", "corrupted.npy", "strength.npy", "report.html", "summary.json"}) {
    files.emplace_back(name);
  }
  return std::make_optional<StagedFolder>(output, files, force);
}

void LearnCommand::describe(Json& summary, const Learned& model, double seconds) const {
  summary["seconds"] = seconds;
  summary["robust"] = !plain;
  summary["weights"] = std::vector<double>(model.weights.begin(), model.weights.end());
  describe_fit(summary, model.fit, model.variables);
}

void LearnCommand::write(StagedFolder& folder, const LearnPage& page, const Learned& model,
                         const Json& summary) {
  write_npy(folder.path() / "weights.npy", model.weights);
  write_npy(folder.path() / "strength.npy", model.variables.strength);
  write_corrupted(folder.path() / "corrupted.npy", model.variables);
  write_text(folder.path() / "report.html", render_learned(page, model.fit, model.variables));
  write_text(folder.path() / "summary.json", dumped(summary) + "\n");
  stop_if_interrupted();
  folder.publish();
}

void LearnCommand::print_json(Json summary) const {
  if (!console.json) return;
  summary["output"] = output;
  fmt::print("{}\n", dumped(summary));
}

void LearnCommand::print_end(const MomentModel& fit, const Json& summary) const {
  fmt::print("  {}, {:.2f} s\n", to_string(fit.outcome), summary["seconds"].get<double>());
  if (!output.empty()) fmt::print("  written to {}\n", output);
}

}  // namespace sunder::cli
