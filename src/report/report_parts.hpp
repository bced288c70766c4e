#pragma once
/// The sections of the report, each a piece of HTML; empty where there is nothing to say.

#include <string>

#include "report/report.hpp"

namespace sunder {

std::string convergence_section(const Decomposition& result);
std::string weights_section(const Decomposition& result);
std::string factors_section(const Decomposition& result);
std::string sparse_section(const Decomposition& result);

std::string truth_section(const Evaluation& evaluation);
std::string options_section(const RunDescription& run);
std::string loading_section(const Decomposition& result);

}  // namespace sunder
