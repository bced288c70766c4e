#pragma once
/// What happens in a clip over time: activity.csv with every frame, and series that are short
/// enough for a summary and a plot.

#include <filesystem>
#include <fstream>
#include <vector>

#include "sunder/video/segmentation.hpp"

namespace sunder {

/// The values of a series: all of them while there are few, then every second, fourth, ... one.
class ThinnedSeries {
 public:
  explicit ThinnedSeries(std::size_t most) : most_(most) {}
  void add(double value);
  const std::vector<double>& values() const { return values_; }
  Index stride() const { return stride_; }

 private:
  std::size_t most_;
  std::vector<double> values_;
  Index stride_ = 1;
  Index seen_ = 0;
};

class ActivityLog {
 public:
  explicit ActivityLog(const std::filesystem::path& file);
  void add(const SegmentedFrame& segmented);
  /// Throws WriteError if the file could not be written.
  void finish();

  const ThinnedSeries& object_shares() const { return object_shares_; }
  const ThinnedSeries& gains() const { return gains_; }
  double mean_object_share() const;  ///< 0 if there was no frame

 private:
  std::ofstream file_;
  ThinnedSeries object_shares_;
  ThinnedSeries gains_;
  double sum_ = 0;
  Index frames_ = 0;
};

}  // namespace sunder
