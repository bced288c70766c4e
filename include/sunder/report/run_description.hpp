#pragma once
/// What a report and a summary say about a run besides its result.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sunder/algorithms/evaluation.hpp"

namespace sunder {

/// What a run was expected to take, before it began.
struct ReadingPlan {
  bool streamed = false;           ///< the tensor stayed in its file
  std::int64_t memory_limit = 0;   ///< bytes
  std::int64_t memory = 0;         ///< bytes
  std::int64_t bytes_to_read = 0;  ///< from the file
  int passes = 0;
};

/// Everything a report or a summary says about one run.
struct RunDescription {
  std::string input;                           ///< name of the tensor, as the user gave it
  std::string dtype;                           ///< "f64", ...
  std::string method;                          ///< "rtd-als"
  std::map<std::string, std::string> options;  ///< every option of the method with its value
  std::uint64_t seed = 0;
  std::vector<int> group;                ///< modes of the input that were treated as one
  std::optional<Evaluation> evaluation;  ///< where the truth is known
  std::optional<ReadingPlan> plan;       ///< where there was one
};

}  // namespace sunder
