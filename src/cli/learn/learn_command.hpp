#pragma once
/// What the commands that learn a model from moments have in common.

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
  Talk talk;

  /// `components` is what the model consists of, and the name of their file. The flags come after
  /// those of the model itself.
  void add_flags(CLI::App& command, const std::string& components, std::uint64_t& seed,
                 int& threads);

  /// Where the results go; nothing without -o. `files` are those of the model itself.
  std::optional<StagedFolder> stage(std::vector<std::string> files) const;

  struct Learned {
    const Vector& weights;
    const MomentModel& fit;
    const LearnedVariables& variables;
  };
  /// Describes the fit, beside what the model itself says in `summary`.
  void describe(Json& summary, const Learned& model, double seconds) const;
  /// Adds the files that every model has, and publishes the folder.
  static void write(StagedFolder& folder, const LearnPage& page, const Learned& model,
                    const Json& summary);
  /// For programs.
  void print_json(Json summary) const;
  /// For people: what every model says at the end.
  void print_end(const MomentModel& fit, const Json& summary) const;
};

}  // namespace sunder::cli
