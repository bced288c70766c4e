// Notation: U, l  eigenvectors and eigenvalues of the covariance    B = w / v    precision of
// entries
//   field = U sqrt(l) g,  g ~ N(0, 1) a priori.  Given the entries r, g has the precision
//   A = 1 + sqrt(l) U' B U sqrt(l)  and the mean  A^-1 sqrt(l) U' B r.
// Where entries are missing at random, B acts on smooth fields as its mean b does, so that
// 1 + b l is a good preconditioner.
#include "algorithms/robust_cp/noise/completion/field.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "algorithms/robust_cp/levels/completion.hpp"
#include "algorithms/robust_cp/noise/completion/covariance.hpp"
#include "algorithms/robust_cp/noise/completion/isolated.hpp"
#include "algorithms/robust_cp/noise/completion/mode_products.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::completion;

/// The field given entries of these weights over the variance of the noise. Seven arrays of the
/// size of the tensor are its own while it solves.
class FieldSolver {
 public:
  FieldSolver(const Shape& shape, const SeparableCovariance& covariance, const Entries& weights,
              double noise)
      : shape_(shape),
        vectors_(covariance.vectors()),
        root_(covariance.values().sqrt()),
        preconditioner_(1 / (1 + weights.mean() / noise * root_.square())),
        weights_(weights),
        noise_(noise) {}

  Entries field(const Entries& g) const { return times(shape_, vectors_, root_ * g); }
  Entries adjoint(Entries entries) const {
    Entries g = times_transposed(shape_, vectors_, std::move(entries));
    g *= root_;
    return g;
  }
  /// The coordinates of a field.
  Entries coordinates(const Entries& field) const {
    Entries g = times_transposed(shape_, vectors_, field);
    g /= root_;
    return g;
  }

  /// Conjugate gradients for A g = r.
  Entries solve(Entries r, Entries g, const limits::Accuracy& enough_is, Monitor& monitor) const {
    const double enough =
        enough_is.tolerance * enough_is.tolerance * (r * preconditioner_ * r).sum();
    r -= apply(g);
    Entries p = preconditioner_ * r;
    double rz = (r * p).sum();
    for (int step = 0; step < enough_is.steps && rz > enough; ++step) {
      monitor.beat();
      const Entries q = apply(p);
      const double length = rz / (p * q).sum();
      g += length * p;
      r -= length * q;
      const double next = (r * preconditioner_ * r).sum();
      p = preconditioner_ * r + next / rz * p;
      rz = next;
    }
    return g;
  }

 private:
  Entries apply(const Entries& g) const {
    Entries entries = field(g);
    entries *= weights_ / noise_;
    entries = adjoint(std::move(entries));
    entries += g;
    return entries;
  }

  const Shape& shape_;
  const std::vector<Matrix>& vectors_;
  Entries root_;
  Entries preconditioner_;
  const Entries& weights_;
  double noise_;
};

/// As many steps of expectation maximisation as the effort allows. Each solves twice.
int steps_of(const Shape& shape) {
  const auto rows = static_cast<double>(std::accumulate(shape.begin(), shape.end(), Index{0}));
  const double operations =
      2 * limits::each_solution.steps * 4 * rows * static_cast<double>(shape.entries());
  return static_cast<int>(std::clamp<double>(limits::effort / operations,
                                             limits::fewest_field_steps, limits::field_steps));
}

class Field {
 public:
  Field(const DenseCore& core, const Entries& residuals, Entries weights, Rng& rng,
        Monitor& monitor)
      : core_(core),
        residuals_(residuals),
        weights_(std::move(weights)),
        rng_(rng),
        monitor_(monitor),
        covariance_(core.shape, residuals, weights_),
        mean_(Entries::Zero(residuals.size())) {
    const double variance =
        (weights_ * residuals.square()).sum() / std::max(weights_.sum(), tiny) + tiny;
    noise_ = limits::first_noise * variance;
    least_noise_ = limits::least_noise * variance;
  }

  FieldFit run() {
    const int steps = steps_of(core_.shape);
    for (int step = 0; step < steps; ++step) improve();
    find_mean(FieldSolver(core_.shape, covariance_, weights_, noise_), limits::last_solution);
    return {std::move(mean_), std::move(weights_)};
  }

 private:
  void find_mean(const FieldSolver& solver, const limits::Accuracy& enough) {
    mean_ = solver.field(solver.solve(solver.adjoint(weights_ / noise_ * residuals_),
                                      solver.coordinates(mean_), enough, monitor_));
  }

  Entries normals() {
    return Entries::NullaryExpr(residuals_.size(), [&] { return rng_.normal(); });
  }

  /// A field drawn from what the entries leave open, about zero.
  Entries draw(const FieldSolver& solver) {
    Entries b = normals();
    b += solver.adjoint((weights_ / noise_).sqrt() * normals());
    const Index size = b.size();
    return solver.field(
        solver.solve(std::move(b), Entries::Zero(size), limits::each_solution, monitor_));
  }

  void improve() {
    const FieldSolver solver(core_.shape, covariance_, weights_, noise_);
    find_mean(solver, limits::each_solution);
    const Entries open = draw(solver);
    const double known = std::max(weights_.sum(), tiny);
    const double leverage =
        std::min((weights_ / noise_ * open.square()).sum() / known, limits::most_leverage);
    const Entries before = weights_;
    // How far an entry lies from what the others say of it.
    const Entries apart = (residuals_ - mean_) / (1 - leverage * weights_);
    weights_ = isolated_weights(core_, apart, usual_sizes(core_, apart));
    const Entries drawn = mean_ + open;
    const Entries both = weights_ * before;
    noise_ = std::max((both * (residuals_ - drawn).square()).sum() / std::max(both.sum(), tiny),
                      least_noise_);
    covariance_.estimate(drawn);
  }

  const DenseCore& core_;
  const Entries& residuals_;
  Entries weights_;
  Rng& rng_;
  Monitor& monitor_;
  SeparableCovariance covariance_;
  Entries mean_;
  double noise_ = 1;
  double least_noise_ = 0;
};

}  // namespace

FieldFit fit_field(const DenseCore& core, const Entries& residuals, Entries weights, Rng& rng,
                   Monitor& monitor) {
  return Field(core, residuals, std::move(weights), rng, monitor).run();
}

}  // namespace sunder::robust
