#include "algorithms/robust_cp/core/exact/sharpening.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/core/gauss_newton.hpp"
#include "algorithms/robust_cp/levels/core.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "core/dense.hpp"
#include "core/grams.hpp"

namespace sunder::robust {

namespace {

namespace sharpening = levels::sharpening;
namespace surplus = levels::surplus;

class Sharpener {
 public:
  Sharpener(const DenseCore& core, CoreSolution& solution, const ModeConstraints& constraints,
            Monitor& monitor)
      : core_(core),
        monitor_(monitor),
        solution_(solution),
        constraints_(constraints),
        level_(sharpening::level * rounding_level * solution.spread),
        inliers_(inliers_of(solution.factors)) {}

  /// Steps that take the mean weight for all of W, which is cheap, then, if they do not get down to
  /// rounding (blocks leave some rows with few inliers), a few with the weights themselves.
  void run() {
    for (int step = 0; step < sharpening::cheap_steps && !done(); ++step) {
      if (!accept(cheap_step())) break;
    }
    for (int step = 0; step < sharpening::inlier_steps && !done(); ++step) {
      if (!accept(weighted_gauss_newton_step(core_, solution_.factors, level_, levels::patient_step,
                                             monitor_))) {
        break;
      }
    }
    balance(solution_.factors);
  }

 private:
  PassResult inliers_of(const Factors& factors) {
    return fused_pass(core_, factors, Rule::hard_threshold(level_), monitor_);
  }
  static double mean_square(const PassResult& inliers) {
    return inliers.statistics.kept_square_sum /
           static_cast<double>(std::max<Index>(inliers.statistics.kept, 1));
  }
  bool done() const {
    return std::sqrt(mean_square(inliers_)) < sharpening::done * solution_.spread;
  }

  Factors cheap_step() const {
    Factors gradient = inliers_.mttkrp;
    const double mean =
        static_cast<double>(inliers_.statistics.kept) / static_cast<double>(core_.shape.entries());
    for (Matrix& g : gradient) g /= std::max(mean, sharpening::least_mean);
    return gauss_newton_step(solution_.factors, gradient, sharpening::cheap_step);
  }

  /// Takes the step if it lowers the residual of the inliers and loses none of them.
  bool accept(const Factors& delta) {
    Factors next = stepped(solution_.factors, delta);
    impose(constraints_, next);
    PassResult inliers = inliers_of(next);
    if (!(mean_square(inliers) < sharpening::progress * mean_square(inliers_))) return false;
    if (static_cast<double>(inliers.statistics.kept) <
        sharpening::kept * static_cast<double>(inliers_.statistics.kept)) {
      return false;
    }
    solution_.factors = std::move(next);
    inliers_ = std::move(inliers);
    return true;
  }

  const DenseCore& core_;
  Monitor& monitor_;
  CoreSolution& solution_;
  const ModeConstraints& constraints_;
  double level_;
  PassResult inliers_;
};

}  // namespace

void settle_surplus(Factors& factors) {
  const Index rank = factors.front().cols();
  for (int round = 0; round < surplus::settle_rounds; ++round) {
    bool projected = false;
    for (std::size_t m = 0; m < factors.size(); ++m) {
      const SymmetricEigen eigen = symmetric_eigen(gram_product_of_others(factors, m));
      const double least = surplus::indistinguishable * eigen.values.maxCoeff();
      const Index kept = (eigen.values.array() > least).count();
      if (kept == rank || kept == 0) continue;
      const auto directions = eigen.vectors.rightCols(kept);
      factors[m] = factors[m] * directions * directions.transpose();
      projected = true;
    }
    if (!projected) return;
  }
}

void sharpen(const DenseCore& core, const ModeConstraints& constraints, CoreSolution& solution,
             Monitor& monitor) {
  Sharpener(core, solution, constraints, monitor).run();
  if (!constraints.any_nonnegative()) settle_surplus(solution.factors);
  const Eigen::ArrayXd size = component_sizes(solution.factors);
  for (Index i = 0; i < size.size(); ++i) {
    if (size[i] > levels::negligible_component * size.maxCoeff()) continue;
    for (Matrix& factor : solution.factors) factor.col(i).setZero();
  }
}

}  // namespace sunder::robust
