#include "cli/ranks/ranks_print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace sunder::cli {

namespace {

std::string figure(double x, int digits) {
  return std::isfinite(x) ? fmt::format("{:.{}f}", x, digits) : "-";
}

}  // namespace

void print_ranks(const RankStudy& study) {
  double shortest = study.records.empty() ? 0 : study.records.front().description;
  for (const RankRecord& record : study.records) {
    shortest = std::min(shortest, record.description);
  }
  fmt::print("  {:>4} {:>12} {:>11} {:>7} {:>7} {:>9} {:>6} {:>7} {:>9}\n", "rank", "description",
             "consistency", "starts", "halves", "held out", "blocks", "errors", "noise");
  for (const RankRecord& record : study.records) {
    fmt::print("{} {:>4} {:>12} {:>11} {:>7} {:>7} {:>9} {:>6} {:>6.1f}% {:>9.3g}\n",
               record.rank == study.recommended ? '*' : ' ', record.rank,
               figure(record.description - shortest, 0), figure(record.consistency, 1),
               figure(record.agreement, 2), figure(record.halves, 2), figure(record.held_out, 3),
               record.boxes, 100 * record.outlier_share, record.sigma);
  }
  fmt::print("recommended: {}. {} ({:.1f} s)\n", study.recommended, study.reason, study.seconds);
}

}  // namespace sunder::cli
