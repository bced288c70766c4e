#pragma once
/// report.html: what people would rather look at than read.

#include <optional>
#include <string>
#include <string_view>

#include "report/figures/slice_sample.hpp"
#include "sunder/algorithms/decomposition.hpp"
#include "sunder/report/run_description.hpp"

namespace sunder {

/// What the pictures of the report are made from: entries of the tensor, which a result lacks.
struct ReportPictures {
  std::optional<SliceSample> slices;
  Shape shape;                 ///< of the tensor they come from
  std::string absent_because;  ///< where there are none, a sentence
};

/// One self-contained, interactive page: nothing in it comes from anywhere else.
std::string render_report(const RunDescription& run, const Decomposition& result,
                          const ReportPictures& pictures = {});

/// The text of summary.json.
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
