#pragma once
/// The table of `sunder ranks`.

#include "sunder/algorithms/inference.hpp"

namespace sunder::cli {

void print_ranks(const RankStudy& study);

}  // namespace sunder::cli
