#pragma once
/// The sections of the report. Each function adds its section to the page, or nothing if there is
/// nothing to show.

#include "report/page.hpp"
#include "report/report.hpp"

namespace sunder {

void add_convergence(Page& page, const Decomposition& result);
void add_slices(Page& page, const ReportPictures& pictures);
void add_residuals(Page& page, const Decomposition& result, const SliceSample& sample);
void add_weights(Page& page, const CpModel& model);
/// With bands of two standard errors where these are known.
void add_factors(Page& page, const CpModel& model, const StandardErrors& errors = {});
/// `with_sizes`: also show the sizes of the entries of S, unless the histogram of residuals does.
void add_sparse(Page& page, const Decomposition& result, bool with_sizes);

/// The estimated noise, and the slices that do not obey the model.
void add_noise_section(Page& page, const Decomposition& result);

/// The study of ranks, with its recommendation.
void add_rank_section(Page& page, const RankStudy& study);

void add_truth(Page& page, const Evaluation& evaluation);
void add_options(Page& page, const RunDescription& run);
void add_loading(Page& page, const Decomposition& result);

}  // namespace sunder
