#pragma once
/// report.html: what people would rather look at than read.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/figures/slice_sample.hpp"
#include "sunder/algorithms/decomposition.hpp"
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

/// What the pictures of the report are made from: entries of the tensor, which a result lacks.
struct ReportPictures {
  std::optional<SliceSample> slices;
  Shape shape;                 ///< of the tensor they come from
  std::string absent_because;  ///< where there are none, a sentence
};

/// One self-contained, interactive page: nothing in it comes from anywhere else.
std::string render_report(const RunDescription& run, const Decomposition& result,
                          const ReportPictures& pictures = {});

/// summary.json, also printed by `--json`.
std::string render_summary(const RunDescription& run, const Decomposition& result);

/// What a summary says about a run: all but L and S, whose numbers lie in files of their own.
struct SummaryContents {
  RunDescription run;
  Decomposition result;
  Shape shape;
};
/// The inverse of render_summary. Throws InputError for text that is no summary of a decomposition;
/// fields that versions before this one did not write may be absent.
SummaryContents read_summary(std::string_view text);

}  // namespace sunder
