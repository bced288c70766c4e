#pragma once
/// The common part of the commands that learn a model from moments.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "cli/learn/learn_input.hpp"
#include "cli/learn/learn_output.hpp"
#include "sunder/io/staged_folder.hpp"

namespace sunder::cli {

struct LearnCommand {
  using Json = nlohmann::ordered_json;

  MomentFiles moments;
  bool plain = false;
  std::string truth;
  std::string output;
  bool force = false;
  ConsoleOptions console;

  /// Adds the common options, after those of the model itself. `components` names the parts of the
  /// model and their file.
  void add_flags(CLI::App& command, const std::string& components, std::uint64_t& seed,
                 int& threads);

  /// Prepares the output folder; returns nullopt without -o. `files` are those of the model itself.
  std::optional<StagedFolder> stage(std::vector<std::string> files) const;

  struct Learned {
    const Vector& weights;
    const MomentModel& fit;
    const LearnedVariables& variables;
  };
  /// Adds the description of the fit to `summary`, which already describes the model.
  void describe(Json& summary, const Learned& model, double seconds) const;
  /// Adds the files that every model has, and publishes the folder.
  static void write(StagedFolder& folder, const LearnPage& page, const Learned& model,
                    const Json& summary);
  /// Prints the summary for programs.
  void print_json(Json summary) const;
  /// Prints for people the last lines, which are common to all models.
  void print_end(const MomentModel& fit, const Json& summary) const;
};

}  // namespace sunder::cli
