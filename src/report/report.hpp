#pragma once
/// The report (report.html) and the summary (summary.json) of a result.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/figures/slice_sample.hpp"
#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/evaluation.hpp"

namespace sunder {

/// The expected cost of a run, estimated before it began.
struct ReadingPlan {
  bool streamed = false;           ///< the tensor stayed in its file
  std::int64_t memory_limit = 0;   ///< bytes
  std::int64_t memory = 0;         ///< bytes
  std::int64_t bytes_to_read = 0;  ///< from the file
  int passes = 0;
};

/// Everything that a report or a summary says about one run, apart from its result.
struct RunDescription {
  std::string input;                           ///< name of the tensor, as the user gave it
  std::string dtype;                           ///< "f64", ...
  std::string method;                          ///< "rtd-als"
  std::map<std::string, std::string> options;  ///< every option of the method with its value
  std::uint64_t seed = 0;
  std::vector<int> group;                ///< modes of the input that were treated as one
  std::optional<Evaluation> evaluation;  ///< if the truth is known
  std::optional<ReadingPlan> plan;       ///< if there was a plan
};

/// The data for the report's pictures: sampled entries of the tensor, which a result does not
/// contain.
struct ReportPictures {
  std::optional<SliceSample> slices;
  Shape shape;                 ///< shape of the sampled tensor
  std::string absent_because;  ///< a sentence that says why there are no pictures
};

/// Renders one self-contained, interactive page that loads nothing from elsewhere.
std::string render_report(const RunDescription& run, const Decomposition& result,
                          const ReportPictures& pictures = {});

/// Renders summary.json, which the option 'json' also prints.
std::string render_summary(const RunDescription& run, const Decomposition& result);

/// The contents of a summary: everything except L and S, which are in their own files.
struct SummaryContents {
  RunDescription run;
  Decomposition result;
  Shape shape;
};
/// Inverts render_summary. Throws InputError for text that is not the summary of a decomposition;
/// fields that earlier versions did not write may be absent.
SummaryContents read_summary(std::string_view text);

}  // namespace sunder
