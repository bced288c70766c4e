#pragma once
/// The latest slices and the model that explains them together: factors that move in a straight
/// line over the window, coefficients of each slice's own.

#include <deque>

#include "algorithms/stream/held_slice.hpp"

namespace sunder::streaming {

struct WindowOptions {
  Index capacity = 0;      ///< slices held
  double forgetting = 1;   ///< weight of a slice relative to the one after it
  bool moving = true;      ///< factors move in a straight line; false: they stand still
  double noise_width = 4;  ///< standard deviations from which residuals belong to S
  int threads = 0;
};

class SliceWindow {
 public:
  SliceWindow() = default;
  SliceWindow(const Shape& slice_shape, int rank, const WindowOptions& options)
      : shape_(slice_shape), rank_(rank), options_(options) {}

  /// Begins with a model at rest and the slices that it was found from, with their coefficients.
  void begin(Factors factors, std::deque<HeldSlice> slices);
  /// Moves the model's time to this slice. The factors continue to move as they did.
  void advance_to(Index number);
  /// Fits the slice to the present factors by robust regression and adds it. The oldest one leaves.
  void add(HeldSlice slice);
  /// Does alternating least squares on the inliers of all slices, which are determined each time.
  void sweep(int times);
  /// Sweeps until the scale of the residuals no longer falls.
  void settle();

  const Factors& factors() const { return factors_; }
  /// The factors at the time of a slice.
  Factors factors_at(Index number) const;
  const std::deque<HeldSlice>& slices() const { return slices_; }
  bool empty() const { return slices_.empty(); }
  double noise_width() const { return options_.noise_width; }

  /// Medians over the window.
  double typical_sigma() const;
  double typical_size() const;

  /// Writes or reads everything but the options.
  template <class Archive>
  void describe(Archive& archive) {
    archive(factors_);
    archive(velocity_);
    archive(time_);
    archive(slices_);
  }
  /// Whether the parts that were read from a file fit together.
  bool fits() const;

 private:
  bool moves() const;
  int team() const;  ///< threads that are worth their start
  void update_factor(int mode);
  void normalise();

  Shape shape_;
  int rank_ = 0;
  WindowOptions options_;
  Factors factors_;   ///< at time_
  Factors velocity_;  ///< change from one slice to the next
  Index time_ = 0;    ///< number of a slice
  std::deque<HeldSlice> slices_;
};

/// The least-squares problem that one slice poses to the rows of one factor.
struct SliceEquations {
  robust::RowMatrix z;         ///< design, a row for each column of the unfolding
  robust::RowMatrix kept;      ///< 1 or 0, unfolded
  Matrix gram;                 ///< z'z
  robust::RowMatrix gradient;  ///< a row for each row of the factor: sum of z times kept residual
  double weight = 1;
  double elapsed = 0;  ///< time of the slice after that of the model, in windows
};

}  // namespace sunder::streaming
