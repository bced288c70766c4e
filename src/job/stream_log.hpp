#pragma once
/// What a stream job keeps of every slice, and the result that it makes of them.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "sunder/job/stream_job.hpp"

namespace sunder {

class StreamLog {
 public:
  /// Of a tensor whose first slice has the number `first` in the stream. `truth` may be null.
  StreamLog(const Shape& shape, int rank, Index first, const CpModel* truth);

  /// The decision that the stream has just made, and those that it made late.
  void add(const RobustCpStream& stream, const SliceDecision& decision);

  /// L has the latest factors and the coefficients that each slice had at its own time.
  Decomposition result(const RobustCpStream& stream) const;
  /// Slice by slice; what is not known is null.
  nlohmann::ordered_json json() const;

  const std::vector<StreamChange>& changes() const { return changes_; }
  Index slices() const { return std::ssize(decisions_); }
  Index explained() const;
  std::optional<SliceFigures> residuals() const;
  /// Of L, relative to the truth.
  std::optional<SliceFigures> errors() const;

 private:
  void take(const RobustCpStream& stream, const SliceDecision& decision);
  std::optional<SliceFigures> figures_of(const std::vector<double>& values) const;

  Shape shape_;
  int rank_;
  Index first_;
  const CpModel* truth_;
  std::vector<SliceDecision> decisions_;
  std::vector<double> errors_;  ///< negative: not known
  std::vector<StreamChange> changes_;
};

}  // namespace sunder
