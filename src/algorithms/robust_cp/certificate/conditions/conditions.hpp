#pragma once
/// The conditions of the certificate, one file each. certificate.cpp lists them with their numbers,
/// docs/certificate.md explains them.

#include "algorithms/robust_cp/certificate/condition.hpp"
#include "engine/pass/pass.hpp"

namespace sunder::robust {

class Evidence;

namespace conditions {

// These ask the core and the model, and read nothing of T.
Check model_not_empty(Evidence& evidence);
Check fitted_entries_determine(Evidence& evidence);
Check signs_determined(Evidence& evidence);
Check no_component_lost(Evidence& evidence);
// These need the pass over T,
Check slices_fitted(Evidence& evidence);
Check residuals_are_rounding(Evidence& evidence);
// these draw entries of T,
Check components_borne_out(Evidence& evidence);
Check directions_determined(Evidence& evidence);
// these ask the search for a model that fits more,
Check search_completed(Evidence& evidence);
Check no_equal_model(Evidence& evidence);
Check nothing_hides(Evidence& evidence);
// and these ask what S and missing entries may hide.
Check sparse_not_proportional(Evidence& evidence);
Check slices_known(Evidence& evidence);
Check missing_hide_nothing(Evidence& evidence);

// Where L is zero, T itself is asked.
Check every_entry_zero(const PassStatistics& data);
Check nothing_missing(const PassStatistics& data);

}  // namespace conditions

}  // namespace sunder::robust
