#pragma once
/// What `sunder decompose` says at its end, for people.

#include <string>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/report/run_description.hpp"

namespace sunder::cli {

/// `output` is the folder of the result; empty: none.
void print_result(const RunDescription& run, const Decomposition& result, bool rank_chosen,
                  const std::string& output);

}  // namespace sunder::cli
