#pragma once
/// The report (report.html) and the summary (summary.json) of a result.

#include <optional>
#include <string>
#include <string_view>

#include "report/figures/slice_sample.hpp"
#include "sunder/algorithms/decomposition.hpp"
#include "sunder/report/run_description.hpp"

namespace sunder {

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

/// Renders the parts of the summary about noise and slices as one object, and reads them again.
std::string render_noise(const Decomposition& result);
void read_noise(std::string_view text, Decomposition& result);

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
