#pragma once
/// The small dense problem inside the nested solver: a sub-tensor of bounded size, whatever the
/// size of the data. Entries are in C order.

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "engine/pass/pass.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::robust {

using Factors = std::vector<Matrix>;  ///< weights are folded in: L = sum of products of columns
using Entries = Eigen::ArrayXd;
/// Rows contiguous: one row is one regression.
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Hears of the progress of long work, and adds up what it costs.
class Monitor {
 public:
  /// `heartbeat` throws Cancelled when the work is no longer wanted.
  explicit Monitor(std::function<void()> heartbeat = {}) : heartbeat_(std::move(heartbeat)) {}

  /// To be called between steps.
  void beat() const {
    if (heartbeat_) heartbeat_();
  }
  void did(double flops) { flops_ += flops; }
  double flops() const { return flops_; }

 private:
  std::function<void()> heartbeat_;
  double flops_ = 0;
};

struct DenseCore {
  Shape shape;
  Entries values;    ///< 0 where missing
  Entries observed;  ///< 1 or 0; empty when nothing is missing
  int threads = 1;   ///< for the passes over it

  bool complete() const { return observed.size() == 0; }
  double observed_share() const { return complete() ? 1.0 : observed.mean(); }
  bool is_observed(Index i) const { return complete() || observed[i] > 0; }
};

/// The solver works on numbers near one, whatever the unit of the data; a power of two changes no
/// digit. 1 if there is none.
double power_of_two_near(double x);

/// Columns of equal length in every mode.
void balance(Factors& factors);
double norm(const Factors& factors);
/// Norms of the single components.
Eigen::ArrayXd component_sizes(const Factors& factors);
double distance(const Factors& a, const Factors& b);

/// One fused pass over the core: the MTTKRPs of the residual that the rule keeps, all modes, and
/// its sums.
enum class Products { all, none };
PassResult fused_pass(const DenseCore& core, const Factors& factors, const Rule& rule,
                      Monitor& monitor, Products products = Products::all);

/// Khatri-Rao product of all factors but `skip`, the last mode fastest.
Matrix khatri_rao_of_others(const Factors& factors, int skip);

/// L on the core, and T - L there (0 where missing).
Entries evaluate(const Factors& factors);
Entries residual(const DenseCore& core, const Factors& factors);

/// Mode `mode` as rows, all others as columns.
RowMatrix unfold(const Shape& shape, const Entries& entries, int mode);

/// Quantile of |x|, by selection; `values` is reordered.
double quantile(std::vector<double>& values, double q);
double root_mean_square(const std::vector<double>& values);

/// Entries that tell something about L: observed, and non-zero where exact zeros are common (rows
/// that are zero in T say nothing about the others).
std::vector<Index> informative(const DenseCore& core);

/// At most some ten thousand of them, evenly: enough for a quantile.
std::vector<Index> thinned(std::vector<Index> entries);

/// 1.4826 times the median absolute deviation of the informative entries; where most of them are
/// equal, the size of those.
double spread(const DenseCore& core, const std::vector<Index>& informative);

/// Standard deviation of the inliers among |residuals|: from the lower quartile, then by
/// truncation.
double inlier_sigma(std::vector<double> magnitudes);

}  // namespace sunder::robust
