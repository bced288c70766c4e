// Notation, for the rows x_i of one mode:
//   x_i ~ N(mu, Q) a priori, N(m_i, C_i) a posteriori; E_i = m_i m_i' + C_i is kept as its upper
//   half h_c, H_c    products of m and of E over the other modes, for column c of the unfolding 1 /
//   C_i = sum_c w_ic H_c / v + 1 / Q,    m_i = C_i (sum_c w_ic t_ic h_c / v + mu / Q)
#include "algorithms/robust_cp/noise/completion/row_posteriors.hpp"

#include <algorithm>

#include "algorithms/robust_cp/core/algebra/products.hpp"
#include "algorithms/robust_cp/levels/completion.hpp"
#include "algorithms/robust_cp/noise/completion/isolated.hpp"
#include "algorithms/robust_cp/noise/completion/row_chain.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::completion;

/// What is known of the rows of one mode.
struct ModeRows {
  RowMatrix means;
  RowMatrix moments;  ///< upper halves of E, row by row
  RowPrior prior;
};

class RowPosteriors {
 public:
  RowPosteriors(const DenseCore& core, int rank, const SmoothModes& smooth, Rng& rng,
                Monitor& monitor)
      : core_(core), rank_(rank), smooth_(smooth), monitor_(monitor) {
    for (int mode = 0; mode < core.shape.order(); ++mode) start(mode, rng);
    const Entries sizes = Entries::Constant(core.values.size(), usual_size());
    weights_ = soft_weights(core, core.values, sizes, limits::soft_width);
    variance_ = sizes.square().mean();
  }

  RowPosteriorFit run() {
    for (sweep_ = 0; sweep_ < limits::sweeps; ++sweep_) {
      monitor_.beat();
      for (int mode = 0; mode < core_.shape.order(); ++mode) update(mode);
      weigh();
    }
    return {factors(), std::move(weights_)};
  }

 private:
  Index halves() const { return rank_ * (rank_ + 1) / 2; }

  double usual_size() const {
    std::vector<double> sizes;
    for (Index i = 0; i < core_.values.size(); ++i) {
      if (core_.is_observed(i)) sizes.push_back(std::abs(core_.values[i]));
    }
    const double usual = median(sizes);
    return usual > 0 ? usual : root_mean_square(sizes) + tiny;
  }

  void start(int mode, Rng& rng) {
    ModeRows rows;
    // Products of the rows are as large as the entries.
    const double size =
        limits::first_size * std::pow(usual_size(), 1.0 / static_cast<double>(core_.shape.order()));
    rows.means =
        RowMatrix::NullaryExpr(core_.shape[mode], rank_, [&] { return size * rng.normal(); });
    const bool chained = smooth_.at(mode) && core_.shape[mode] > 2;
    rows.prior = first_prior(rank_, size, chained);
    rows.moments.resize(rows.means.rows(), halves());
    const Matrix unsure = limits::first_variance * rows.prior.covariance;
    for (Index i = 0; i < rows.means.rows(); ++i) store_moment(rows, i, unsure);
    modes_.push_back(std::move(rows));
  }

  void store_moment(ModeRows& rows, Index i, const Matrix& covariance) const {
    rows.moments.row(i) = packed(rows.means.row(i).transpose() * rows.means.row(i) + covariance);
  }

  /// Products over all modes but one, for columns [begin, end) of its unfolding.
  RowMatrix products(int skip, Index begin, Index end, RowMatrix ModeRows::*of) const {
    RowMatrix result = RowMatrix::Ones(end - begin, (modes_.front().*of).cols());
    for (Index c = begin; c < end; ++c) {
      Index rest = c;
      for (int m = core_.shape.order() - 1; m >= 0; --m) {
        if (m == skip) continue;
        result.row(c - begin).array() *= (modes_[m].*of).row(rest % core_.shape[m]).array();
        rest /= core_.shape[m];
      }
    }
    return result;
  }

  void update(int mode) {
    const RowMatrix w = unfold(core_.shape, weights_, mode);
    const RowMatrix wt = unfold(core_.shape, weights_ * core_.values, mode);
    RowMatrix moments = RowMatrix::Zero(w.rows(), halves());
    RowMatrix sums = RowMatrix::Zero(w.rows(), rank_);
    for (Index begin = 0; begin < w.cols(); begin += limits::columns_of_chunk) {
      const Index size = std::min(limits::columns_of_chunk, w.cols() - begin);
      multiply(w.middleCols(begin, size), products(mode, begin, begin + size, &ModeRows::moments),
               moments, true);
      multiply(wt.middleCols(begin, size), products(mode, begin, begin + size, &ModeRows::means),
               sums, true);
    }
    monitor_.did(2.0 * static_cast<double>(w.size() * (halves() + rank_)));
    update_rows(moments / variance_, sums / variance_, modes_[mode]);
  }

  void update_rows(const RowMatrix& moments, const RowMatrix& sums, ModeRows& rows) const {
    RowPosterior posterior = row_posterior(rows.prior, moments, sums);
    estimate_prior(posterior, sweep_ >= limits::soft_sweeps, rows.prior);
    rows.means = std::move(posterior.means);
    for (Index i = 0; i < rows.means.rows(); ++i) store_moment(rows, i, posterior.covariances[i]);
  }

  Factors factors() const {
    Factors factors;
    for (const ModeRows& rows : modes_) factors.emplace_back(rows.means);
    return factors;
  }

  void weigh() {
    const Entries R = residual(core_, factors());
    const Entries sizes = usual_sizes(core_, R);
    weights_ = sweep_ < limits::soft_sweeps ? soft_weights(core_, R, sizes, limits::soft_width)
                                            : isolated_weights(core_, R, sizes);
    variance_ = std::max((weights_ * R.square()).sum() / std::max(weights_.sum(), tiny),
                         limits::least_noise * limits::least_noise * variance_);
  }

  const DenseCore& core_;
  int rank_;
  const SmoothModes& smooth_;
  Monitor& monitor_;
  std::vector<ModeRows> modes_;
  Entries weights_;
  double variance_ = 1;
  int sweep_ = 0;
};

}  // namespace

RowPosteriorFit fit_row_posteriors(const DenseCore& core, int rank, const SmoothModes& smooth,
                                   Rng& rng, Monitor& monitor) {
  return RowPosteriors(core, rank, smooth, rng, monitor).run();
}

}  // namespace sunder::robust
