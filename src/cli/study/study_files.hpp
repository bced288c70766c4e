#pragma once
/// The files of a reproduction: results line by line as they arrive, and the tables made from them.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sunder/study/study.hpp"
#include "sunder/video/activity.hpp"

namespace sunder::cli {

/// Stores one line of JSON for each result; drops a line that an interruption cut off.
class StudyLog {
 public:
  explicit StudyLog(std::filesystem::path file);

  const std::vector<StudyResult>& results() const { return results_; }
  bool has(const StudySetting& setting) const;
  /// Appends a result and flushes, so that an interruption loses nothing.
  void add(const StudyResult& result);

 private:
  std::filesystem::path file_;
  std::vector<StudyResult> results_;
};

/// Formats every result with its setting.
std::string csv_of(const std::vector<StudyResult>& results);

/// One point of a curve: the runs of one method in one cell.
struct CellSummary {
  std::string panel;
  std::string method;
  int rank = 0;
  Support support = Support::uniform;
  double density = 0;
  int runs = 0;
  int recovered = 0;                  ///< runs with an error below 1e-6
  std::vector<std::uint64_t> missed;  ///< seeds of the other runs
  double median_error = 0, least_error = 0, largest_error = 0;
  double median_seconds = 0;
};
/// Summarises the results by cell, in the order in which the cells first appear.
std::vector<CellSummary> summarise(const std::vector<StudyResult>& results);

std::string csv_of(const std::vector<CellSummary>& cells);
std::string csv_of(const std::vector<ActivityRow>& rows);

/// Compares the paper's claims with the results, one sentence per claim.
std::vector<std::string> claims(const std::vector<CellSummary>& cells,
                                const std::vector<ActivityRow>& activity);

}  // namespace sunder::cli
