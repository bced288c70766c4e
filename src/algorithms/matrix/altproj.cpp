// Notation, as in Algorithm 1 of Netrapalli et al. (2014):
//   M        the matrix, m x n
//   L        low-rank estimate, of rank k in stage k, held by its singular vectors
//   S        HT_zeta(M - L); never stored, since it is a function of M, L and zeta
//   zeta     threshold
//   beta     4 mu^2 r / sqrt(m n), or measured
//   k, r     stage, target rank
//   P_k      best rank-k approximation
//   sigma_i  singular values of M - S
//   epsilon  error of L to reach
#include "algorithms/matrix/altproj.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/matrix/truncated_svd.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/run/validation.hpp"

namespace sunder {

namespace {

class AltProj {
 public:
  AltProj(const TensorView& matrix, const RunOptions& run, const AltProjOptions& options,
          std::uint64_t stream)
      : options_(options),
        rounding_(rounding_of(matrix.type(), Precision::f64)),
        run_(matrix, run, "altproj") {
    Rng rng(run.seed, stream);
    // Room for sigma_{r+1}, and a few columns more for the speed of the iteration.
    triplets_ = random_triplets(matrix.shape(), run.rank + 1 + oversampling, rng);
  }

  MatrixParts solve() {
    Decomposition parts = run_.solve([this] { iterate(); }, [this] { find_sparse(); });
    return {std::move(parts), data_norm_};
  }

 private:
  /// Algorithm 1.
  void iterate() {
    const int r = run_.rank();
    measure_data();
    if (!(data_norm_ > 0)) return;
    project(1, Rule::keep_all());
    zeta_ = beta(1) * sigma(1);  // step 3; step 4 is L = 0 and with it S = HT_zeta(M)
    for (stage_ = 1; stage_ <= r; ++stage_) {
      const int k = stage_;
      run_.set_fraction(static_cast<double>(k - 1) / r);
      const int last = stage_length();
      for (int t = 0; t <= last && iterations_ < options_.max_iterations; ++t) {
        const PassStatistics seen = project(k, Rule::hard_threshold(zeta_));
        const double change =
            run_.replace_low_rank(triplets_.leading(k));  // step 8: L = P_k(M - S)
        ++iterations_;
        record(change, seen);
        // Steps 7 and 9: S = HT_zeta(M - L) is implied by L and zeta.
        const double vanishing = std::exp2(-t) * sigma(k);
        zeta_ = std::max(scale_ * beta(k) * (sigma(k + 1) + vanishing), lowest_threshold());
        const bool settled =
            vanishing <= 0.01 * sigma(k + 1) || threshold_is_least() || nothing_left(seen);
        if (!stands_still(change, seen) || !settled) continue;
        if (k < r) break;
        if (!reduce_threshold()) return;
      }
      // Step 11, with sigma_{k+1} of M - S.
      if (beta(k) * sigma(k + 1) < negligible()) return;
    }
    run_.result().outcome = Outcome::iteration_limit;
  }

  void measure_data() {
    run_.set_fraction(0);
    data_norm_ = std::sqrt(run_.measure_data().data_square_sum);
  }

  /// Singular triplets of M - S, warm-started from those of the last M - S. The statistics are
  /// those of S itself, counted on the way.
  PassStatistics project(int k, Rule rule) {
    CleanedTensor cleaned(run_.engine(), run_.low_rank(), rule);
    refine(cleaned, triplets_,
           {.leading = k, .tolerance = 0.01 * options_.tolerance, .max_products = max_products});
    return cleaned.statistics();
  }

  /// sigma_i(M - S), i counted from 1.
  double sigma(int i) const { return i <= triplets_.columns() ? triplets_.values[i - 1] : 0; }

  /// beta sigma bounds the entries of any matrix of norm sigma in the span of the singular vectors,
  /// sigma max_i ||U_i|| max_j ||V_j||, if the r - k components that are not fitted yet are as
  /// incoherent as the fitted ones. It is never less than twice the entries of a flat matrix,
  /// and at most 1/2, because no entry exceeds the norm of its matrix: with a beta of 1, which a
  /// single large entry of S among the fitted components causes, nothing would ever be rejected
  /// again.
  double beta(int k) const {
    const double root_entries = std::sqrt(static_cast<double>(run_.shape().entries()));
    if (options_.mu) return 4 * *options_.mu * *options_.mu * run_.rank() / root_entries;
    const Index fitted = std::min<Index>(k, triplets_.columns());
    const double measured = longest_row(triplets_.left.leftCols(fitted)) *
                            longest_row(triplets_.right.leftCols(fitted)) * run_.rank() /
                            static_cast<double>(fitted);
    return std::max(std::min(measured, 0.5), 2 / root_entries);
  }

  /// epsilon / (2 n): a threshold below this leaves an error of L below epsilon.
  double negligible() const {
    return options_.tolerance * data_norm_ / (2.0 * static_cast<double>(longer_side()));
  }

  /// T = 10 log(n beta ||M - S|| / epsilon).
  int stage_length() const {
    const double ratio = static_cast<double>(longer_side()) * beta(stage_) * sigma(1) /
                         (options_.tolerance * data_norm_);
    return static_cast<int>(std::ceil(10 * std::log(std::max(ratio, 2.0))));
  }

  /// A residual below this is rounding, and would move entries that L explains into S.
  double lowest_threshold() const { return 32 * rounding_ * run_.data().data_max; }

  bool threshold_is_least() const { return zeta_ < negligible() || zeta_ == lowest_threshold(); }

  Index longer_side() const { return std::max(run_.shape()[0], run_.shape()[1]); }

  double kept_residual(const PassStatistics& seen) const {
    return std::sqrt(seen.kept_square_sum) / data_norm_;
  }

  /// Whether the rest of the stage would repeat the last iteration. Under noise, entries at
  /// the threshold never stop moving in and out of S, so that a ten-thousandth of the residual
  /// counts as standing still.
  bool stands_still(double change, const PassStatistics& seen) {
    const Index moved = std::abs(seen.rejected - rejected_);
    rejected_ = seen.rejected;
    if (stage_ < run_.rank()) return change < stage_tolerance;
    const double rest =
        std::max({options_.tolerance, 16 * rounding_, noise_tolerance * kept_residual(seen)});
    return change < rest &&
           static_cast<double>(moved) <= noise_tolerance * static_cast<double>(seen.observed());
  }

  /// Every kept entry is below the last threshold already: lowering zeta rejects no more.
  bool nothing_left(const PassStatistics& seen) const {
    return std::sqrt(seen.kept_square_sum) < negligible();
  }

  /// Makes beta smaller in the last stage, which may get further. False if nothing is left to gain.
  bool reduce_threshold() {
    if (options_.reduction == 1 || threshold_is_least()) return false;
    scale_ *= options_.reduction;
    return true;
  }

  /// The line of an iteration shows the S that L was fitted to, and what it left over.
  void record(double change, const PassStatistics& seen) {
    run_.record({.stage = fmt::format("stage {} of {}", stage_, run_.rank()),
                 .threshold = zeta_,
                 .kept_residual = kept_residual(seen),
                 .sparse_fraction = rejected_share(seen),
                 .change = change});
  }

  /// L is known to the tolerance only, so that nothing smaller belongs to S. A matrix of zeros has
  /// an empty S.
  void find_sparse() {
    if (data_norm_ > 0) {
      run_.find_sparse(std::max(zeta_, options_.tolerance * run_.data().data_max));
    }
  }

  static constexpr int oversampling = 4;
  static constexpr int max_products = 8;  // for each projection
  static constexpr double stage_tolerance = 1e-3;
  static constexpr double noise_tolerance = 1e-4;

  AltProjOptions options_;
  double rounding_;
  Run run_;
  SingularTriplets triplets_;
  double data_norm_ = 0;
  double scale_ = 1;  // of beta, from reductions
  double zeta_ = std::numeric_limits<double>::infinity();
  int stage_ = 0;
  Index rejected_ = 0;  // entries of the last S
  int iterations_ = 0;
};

void validate(const AltProjOptions& options) {
  require_option(!options.mu || *options.mu > 0, "mu", "positive, or measured",
                 options.mu.value_or(0));
  require_option(options.reduction > 0 && options.reduction <= 1, "reduction",
                 "above 0 and at most 1", options.reduction);
  require_option(options.tolerance > 0, "tolerance", "positive", options.tolerance);
  require_iterations(options.max_iterations);
}

MatrixSolver solver_with(const AltProjOptions& options) {
  validate(options);
  return [options](const TensorView& matrix, const RunOptions& run, std::uint64_t stream) {
    return altproj(matrix, run, options, stream);
  };
}

}  // namespace

MatrixParts altproj(const TensorView& matrix, const RunOptions& run, const AltProjOptions& options,
                    std::uint64_t stream) {
  return AltProj(matrix, run, options, stream).solve();
}

Decomposition altproj_flat(const TensorView& tensor, const RunOptions& run,
                           const AltProjFlatOptions& options) {
  return decompose_flattening(tensor, run, options.flatten_mode, "altproj-flat",
                              solver_with(options.matrix));
}

Decomposition altproj_slice(const TensorView& tensor, const RunOptions& run,
                            const AltProjSliceOptions& options) {
  return decompose_slices(tensor, run, options.slice_modes, "altproj-slice",
                          solver_with(options.matrix));
}

}  // namespace sunder
