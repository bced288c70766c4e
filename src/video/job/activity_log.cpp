#include "video/job/activity_log.hpp"

#include <fmt/format.h>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr std::size_t most_points = 5000;  // of a series, in the summary and on the page

}  // namespace

void ThinnedSeries::add(double value) {
  if (seen_++ % stride_ != 0) return;
  values_.push_back(value);
  if (values_.size() <= most_) return;
  for (std::size_t k = 0; 2 * k < values_.size(); ++k) values_[k] = values_[2 * k];
  values_.resize((values_.size() + 1) / 2);
  stride_ *= 2;
}

ActivityLog::ActivityLog(const std::filesystem::path& file)
    : file_(file), object_shares_(most_points), gains_(most_points) {
  file_ << "frame,object_share,gain\n";
}

void ActivityLog::add(const SegmentedFrame& segmented) {
  const FrameDecision& decision = segmented.decision;
  file_ << fmt::format("{},{:.6g},{:.6g}\n", segmented.number, decision.object_share,
                       decision.gain);
  object_shares_.add(decision.object_share);
  gains_.add(decision.gain);
  sum_ += decision.object_share;
  ++frames_;
}

void ActivityLog::finish() {
  file_.close();
  if (!file_) throw WriteError("activity.csv cannot be written; is the disk full?");
}

double ActivityLog::mean_object_share() const {
  return frames_ > 0 ? sum_ / static_cast<double>(frames_) : 0;
}

}  // namespace sunder
