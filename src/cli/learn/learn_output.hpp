#pragma once
/// The output of the learning commands: files, pages and sentences about a latent-variable model.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "report/sections/section_data.hpp"
#include "sunder/learn/moment_model.hpp"

namespace sunder::cli {

struct LearnedVariables {
  std::vector<std::string> names;  ///< empty: variables are identified by number
  Vector strength;                 ///< strength of the corruption of each variable
  std::vector<Index> corrupted;    ///< strongest first

  std::string name(Index variable) const;
};

/// Writes the part of summary.json about the fit of the moments and their corruption.
void describe_fit(nlohmann::ordered_json& summary, const MomentModel& fit,
                  const LearnedVariables& variables);

/// Computes the precision and recall of the variables that were found corrupted.
void describe_flags(nlohmann::ordered_json& summary, const std::vector<Index>& found,
                    const std::vector<Index>& truth);

/// Writes corrupted.npy: variable (from 0) and strength in each row.
void write_corrupted(const std::string& path, const LearnedVariables& variables);

struct LearnPage {
  std::string title;
  std::string input;
  std::string verdict;
  TableData components;
  std::string components_note;
  std::string variable;  ///< the word for a variable: "word"
};
std::string render_learned(const LearnPage& about, const MomentModel& fit,
                           const LearnedVariables& variables);

/// Formats "3 of 200 words are corrupted: a (2.1), b (2.0), c (1.9)".
std::string corruption_sentence(const LearnedVariables& variables, const std::string& variable);

/// Returns the exit code of a run that was not interrupted: converged or not.
ExitCode exit_code(const MomentModel& fit);

}  // namespace sunder::cli
