#pragma once
/// The sections of the report; each adds itself to the page, or nothing where it has nothing to
/// say.

#include "report/page.hpp"
#include "report/report.hpp"

namespace sunder {

void add_convergence(Page& page, const Decomposition& result);
void add_slices(Page& page, const ReportPictures& pictures);
void add_residuals(Page& page, const Decomposition& result, const SliceSample& sample);
void add_weights(Page& page, const CpModel& model);
void add_factors(Page& page, const CpModel& model);
/// How large the entries of S are is said here unless the histogram of the residuals says it.
void add_sparse(Page& page, const Decomposition& result, bool with_sizes);

void add_truth(Page& page, const Evaluation& evaluation);
void add_options(Page& page, const RunDescription& run);
void add_loading(Page& page, const Decomposition& result);

}  // namespace sunder
