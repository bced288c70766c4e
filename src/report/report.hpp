#pragma once
/// report.html: what people would rather look at than read.

#include <map>
#include <optional>
#include <string>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/evaluation.hpp"

namespace sunder {

/// Everything a report or a summary says about one run.
struct RunDescription {
  std::string input;                           ///< name of the tensor, as the user gave it
  std::string dtype;                           ///< "f64", ...
  std::string method;                          ///< "rtd-als"
  std::map<std::string, std::string> options;  ///< every option of the method with its value
  std::uint64_t seed = 0;
  std::optional<Evaluation> evaluation;  ///< where the truth is known
};

/// One self-contained page: no scripts, fonts or pictures from anywhere else.
std::string render_report(const RunDescription& run, const Decomposition& result);

/// summary.json, also printed by `--json`.
std::string render_summary(const RunDescription& run, const Decomposition& result);

}  // namespace sunder
