#include "algorithms/robust_cp/extend/extension.hpp"

#include <algorithm>
#include <numeric>

#include "algorithms/cp/cp_als.hpp"
#include "algorithms/robust_cp/levels/rows.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"
#include "algorithms/robust_cp/rows/row_fit.hpp"

namespace sunder::robust {

namespace {

namespace extension = levels::extension;

class Extension {
 public:
  Extension(Engine& engine, const IndexSets& sets, const CoreSolution& core,
            const ExtensionOptions& options, Rng& rng, Monitor& monitor)
      : engine_(engine),
        sets_(sets),
        core_(core),
        options_(options),
        rng_(rng),
        monitor_(monitor) {}

  Matrix mode(int mode) {
    const auto m = static_cast<std::size_t>(mode);
    const Index extent = engine_.shape()[mode];
    Matrix warm = options_.start != nullptr ? (*options_.start)[m] : Matrix::Zero(extent, rank());
    for (std::size_t k = 0; k < sets_[m].size(); ++k) {
      warm.row(sets_[m][k]) = core_.factors[m].row(static_cast<Index>(k));
    }
    Index others = 1;
    for (std::size_t q = 0; q < sets_.size(); ++q) {
      if (q != m) others *= std::ssize(sets_[q]);
    }
    const std::vector<Index> some = draw_columns(others, columns_for_a_row(), rng_);
    std::vector<Index> every_row(extent);
    std::iota(every_row.begin(), every_row.end(), Index{0});
    RowFits fits = fit(mode, warm, some, every_row);
    if (some.empty() || fits.doubtful.empty()) return fits.coefficients;
    const RowFits again = fit(mode, warm, {}, fits.doubtful);
    for (std::size_t k = 0; k < fits.doubtful.size(); ++k) {
      fits.coefficients.row(fits.doubtful[k]) = again.coefficients.row(static_cast<Index>(k));
    }
    return fits.coefficients;
  }

 private:
  Index rank() const { return core_.factors.front().cols(); }
  Index columns_for_a_row() const {
    return (core_.exact ? extension::columns_if_exact : extension::columns_if_not) * rank();
  }

  /// Block by block, to bound the memory for the fibres.
  RowFits fit(int mode, const Matrix& warm, std::span<const Index> columns,
              std::span<const Index> rows) {
    const Index length = columns.empty() ? extension::assumed_length : std::ssize(columns);
    const auto block = static_cast<std::size_t>(
        std::max(extension::least_rows, extension::entries_at_once / length));
    RowFits all;
    all.coefficients.resize(std::ssize(rows), rank());
    for (std::size_t begin = 0; begin < rows.size(); begin += block) {
      const std::span<const Index> part = rows.subspan(begin, std::min(block, rows.size() - begin));
      const RowProblem problem =
          gather_rows(engine_, sets_, core_.factors, mode, options_.scale, columns, part);
      const RowFits fits = fit_rows(problem, warm(part, Eigen::all),
                                    {.sigma = core_.sigma,
                                     .tolerance = levels::refit_rounding * core_.spread,
                                     .threads = engine_.threads(),
                                     .nonnegative = options_.constraints.nonnegative(mode),
                                     .warm = options_.start != nullptr},
                                    monitor_);
      all.coefficients.middleRows(static_cast<Index>(begin), std::ssize(part)) = fits.coefficients;
      for (const Index i : fits.doubtful) all.doubtful.push_back(part[i]);
    }
    return all;
  }

  Engine& engine_;
  const IndexSets& sets_;
  const CoreSolution& core_;
  const ExtensionOptions& options_;
  Rng& rng_;
  Monitor& monitor_;
};

/// The factor of a mode that need not be extended; signs as in the core.
Matrix shared_factor(const Factors& core, std::size_t mode, std::size_t leader, Matrix factor) {
  for (Index i = 0; i < factor.cols(); ++i) {
    if (core[mode].col(i).dot(core[leader].col(i)) < 0) factor.col(i) *= -1;
  }
  return factor;
}

}  // namespace

Factors extend(Engine& engine, const IndexSets& sets, const CoreSolution& core,
               const ExtensionOptions& options, Rng& rng, Monitor& monitor) {
  Extension rows(engine, sets, core, options, rng, monitor);
  Factors factors;
  for (int mode = 0; mode < engine.shape().order(); ++mode) {
    const auto leader = static_cast<std::size_t>(options.constraints.leader(mode));
    const auto m = static_cast<std::size_t>(mode);
    factors.push_back(leader == m ? rows.mode(mode)
                                  : shared_factor(core.factors, m, leader, factors[leader]));
  }
  return factors;
}

void use_singular_vectors(Factors& factors) {
  const CpModel svd = with_singular_vectors(as_model(factors));
  Vector root = svd.weights().cwiseSqrt();
  for (double& s : root) {
    if (s < extension::zero_root * root[0]) s = 0;
  }
  for (int mode = 0; mode < 2; ++mode) {
    factors[mode] = svd.factor(mode) * root.asDiagonal();
  }
}

}  // namespace sunder::robust
