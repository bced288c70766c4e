#pragma once
/// The models of `sunder learn`, one file each.

#include "cli/cli.hpp"

namespace sunder::cli {

Command add_learn_topics(CLI::App& command);
Command add_learn_mixture(CLI::App& command);
Command add_learn_bayesnet(CLI::App& command);

}  // namespace sunder::cli
