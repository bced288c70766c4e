#pragma once
/// What the learning commands write and print about a latent-variable model.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "report/sections/section_data.hpp"
#include "sunder/learn/moment_model.hpp"

namespace sunder::cli {

struct LearnedVariables {
  std::vector<std::string> names;  ///< empty: variables are called by their numbers
  Vector strength;                 ///< of the corruption of each
  std::vector<Index> corrupted;    ///< strongest first

  std::string name(Index variable) const;
};

/// The part of summary.json that says how the moments were fitted and what of them is corrupted.
void describe_fit(nlohmann::ordered_json& summary, const MomentModel& fit,
                  const LearnedVariables& variables);

/// Share of what was found that is true, and of what is true that was found.
void describe_flags(nlohmann::ordered_json& summary, const std::vector<Index>& found,
                    const std::vector<Index>& truth);

/// corrupted.npy: variable (from 0) and strength in each row.
void write_corrupted(const std::string& path, const LearnedVariables& variables);

struct LearnPage {
  std::string title;
  std::string input;
  std::string verdict;
  TableData components;
  std::string components_note;
  std::string variable;  ///< what a variable is called: "word"
};
std::string render_learned(const LearnPage& about, const MomentModel& fit,
                           const LearnedVariables& variables);

/// "3 of 200 words are corrupted: a (2.1), b (2.0), c (1.9)".
std::string corruption_sentence(const LearnedVariables& variables, const std::string& variable);

/// Converged or not; an interrupted run never gets here.
ExitCode exit_code(const MomentModel& fit);

}  // namespace sunder::cli
