#pragma once
/// The files of a reproduction: results line by line as they come, and tables made from them.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sunder/study/study.hpp"
#include "sunder/video/activity.hpp"

namespace sunder::cli {

/// One line of JSON for each result; a line that was cut off by an interruption is dropped.
class StudyLog {
 public:
  explicit StudyLog(std::filesystem::path file);

  const std::vector<StudyResult>& results() const { return results_; }
  bool has(const StudySetting& setting) const;
  /// Appends, and flushes: what is done stays done.
  void add(const StudyResult& result);

 private:
  std::filesystem::path file_;
  std::vector<StudyResult> results_;
};

/// Every result with every setting.
std::string csv_of(const std::vector<StudyResult>& results);

/// One point of a curve: the runs of one method in one cell.
struct CellSummary {
  std::string panel;
  std::string method;
  int rank = 0;
  Support support = Support::uniform;
  double density = 0;
  int runs = 0;
  int recovered = 0;                  ///< error below 1e-6
  std::vector<std::uint64_t> missed;  ///< seeds of the others
  double median_error = 0, least_error = 0, largest_error = 0;
  double median_seconds = 0;
};
/// In the order in which the cells first appear.
std::vector<CellSummary> summarise(const std::vector<StudyResult>& results);

std::string csv_of(const std::vector<CellSummary>& cells);
std::string csv_of(const std::vector<ActivityRow>& rows);

/// What the paper claims, and what the numbers here say about it: a sentence each.
std::vector<std::string> claims(const std::vector<CellSummary>& cells,
                                const std::vector<ActivityRow>& activity);

}  // namespace sunder::cli
