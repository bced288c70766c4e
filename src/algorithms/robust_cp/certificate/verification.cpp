#include "algorithms/robust_cp/certificate/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/certificate/contradiction.hpp"
#include "algorithms/robust_cp/certificate/determinacy.hpp"
#include "algorithms/robust_cp/certificate/directions.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

std::vector<std::vector<std::uint8_t>> alive_rows(const Factors& factors) {
  std::vector<std::vector<std::uint8_t>> alive;
  for (const Matrix& factor : factors) {
    const Eigen::ArrayXd size = factor.rowwise().squaredNorm();
    const double least = 1e-10 * size.mean();
    std::vector<std::uint8_t> rows;
    for (Index i = 0; i < size.size(); ++i) rows.push_back(size[i] > least ? 1 : 0);
    alive.push_back(std::move(rows));
  }
  return alive;
}

/// `needed`: entries that a slice must have, and have fitted.
void judge(const SliceStatistics& slices, Index needed, Verification& result) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < slices.observed.size(); ++i) {
    shares.push_back(static_cast<double>(slices.fitted[i]) /
                     static_cast<double>(std::max<Index>(slices.observed[i], 1)));
  }
  std::vector<double> sorted = shares;
  const double least = std::max(0.08, 0.25 * quantile(sorted, 0.5));
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (slices.observed[i] < needed) {
      ++result.unknown_slices;
      continue;
    }
    if (shares[i] < least || slices.fitted[i] < needed) ++result.bad_slices;
    result.weakest_share = std::min(result.weakest_share, shares[i]);
  }
}

/// Entries in a slice of the mode where the model could be non-zero.
Index entries_alive(const std::vector<std::vector<std::uint8_t>>& alive, std::size_t mode) {
  Index entries = 1;
  for (std::size_t m = 0; m < alive.size(); ++m) {
    if (m != mode) entries *= std::ranges::count(alive[m], 1);
  }
  return entries;
}

/// Draws rows of one column with probability proportional to |x|^power, or alike among those that
/// are not zero.
class RowDraw {
 public:
  RowDraw(const Eigen::VectorXd& column, double power) {
    const double largest = column.cwiseAbs().maxCoeff();
    double sum = 0;
    for (const double x : column) {
      const double size = largest > 0 ? std::abs(x) / largest : 0;
      const bool alive = size > 1e-8;
      alive_ += alive ? 1 : 0;
      sum += alive ? std::pow(size, power) : 0;
      cumulative_.push_back(sum);
    }
  }
  Index alive() const { return alive_; }
  Index draw(Rng& rng) const {
    const double at = rng.uniform(0, cumulative_.back());
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, at);
    return static_cast<Index>(found - cumulative_.begin());
  }

 private:
  std::vector<double> cumulative_;
  Index alive_ = 0;
};

}  // namespace

ComponentEvidence examine_components(Engine& engine, const Factors& factors, double level,
                                     double share, Rng& rng) {
  constexpr Index draws = 400;
  const CpModel model(Vector::Ones(factors.front().cols()), factors);
  const auto order = factors.size();
  ComponentEvidence evidence;
  for (Index component = 0; component < model.rank(); ++component) {
    bool bad = false;
    for (const double power : {2.0, 1.0, 0.0}) {
      std::vector<RowDraw> rows;
      double unknowns = 0;
      double support = 1;
      for (const Matrix& factor : factors) {
        rows.emplace_back(factor.col(component), power);
        unknowns += static_cast<double>(rows.back().alive());
        support *= static_cast<double>(rows.back().alive());
      }
      if (support == 0) break;  // no component at all
      std::vector<ModeIndices> drawn(static_cast<std::size_t>(draws));
      for (ModeIndices& index : drawn) {
        for (std::size_t m = 0; m < order; ++m) index[m] = rows[m].draw(rng);
      }
      const std::vector<double> entries = engine.gather_entries(drawn);
      Index seen = 0;
      Index fitted = 0;
      for (std::size_t k = 0; k < drawn.size(); ++k) {
        if (std::isnan(entries[k])) continue;
        ++seen;
        const double model_entry = model.entry(std::span<const Index>(drawn[k].data(), order));
        fitted += std::abs(entries[k] - model_entry) < level ? 1 : 0;
      }
      if (seen == 0) continue;
      const double fitted_share = static_cast<double>(fitted) / static_cast<double>(seen);
      evidence.weakest_share = std::min(evidence.weakest_share, fitted_share);
      const double in_all =
          fitted_share * support * static_cast<double>(seen) / static_cast<double>(draws);
      bad = bad || fitted_share < std::max(0.05, 0.25 * share) ||
            (power == 0 && in_all < 3 * unknowns);
    }
    evidence.bad += bad ? 1 : 0;
  }
  return evidence;
}

Verification verify(Engine& engine, const Factors& factors, const VerificationOptions& options) {
  const CpModel model(Vector::Ones(factors.front().cols()), factors);
  const std::vector<std::vector<std::uint8_t>> alive = alive_rows(factors);
  PassResult seen = engine.pass({.model = &model,
                                 .rule = Rule::hard_threshold(options.level),
                                 .precision = options.precision,
                                 .slice_statistics = SliceDetail::counts,
                                 .fit_tolerance = options.level,
                                 .alive = &alive,
                                 .collect_sparse = options.collect_sparse,
                                 .sparse_sink = options.sparse_sink});
  Verification result;
  result.level = options.level;
  result.statistics = seen.statistics;
  result.sparse = std::move(seen.sparse);
  for (std::size_t m = 0; m < seen.slices.size(); ++m) {
    judge(seen.slices[m], entries_needed(entries_alive(alive, m), model.rank()), result);
  }
  result.slices = std::move(seen.slices);
  return result;
}

Index components_of(const Factors& factors) {
  const Eigen::ArrayXd sizes = component_sizes(factors);
  return (sizes > 1e-10 * sizes.maxCoeff()).count();
}

std::string objection(const Factors& factors, const CoreSolution& core) {
  // No entry could speak against a model without components.
  if (!(norm(factors) > 0)) return "no component was supported by enough entries";
  if (!core.determined) {
    return "its components are not determined by the entries that it fits; the rank may be above "
           "the true one";
  }
  if (!core.whole) return further_component;
  if (components_of(factors) < components_of(core.factors)) {
    return "a component of the core was lost on the way to the whole tensor";
  }
  return {};
}

std::string objection(Engine& engine, const Factors& factors, const CoreSolution& core,
                      const Verification& seen, Rng& rng, Monitor& monitor) {
  if (seen.bad_slices > 0) return fmt::format("{} slices were not fitted", seen.bad_slices);
  if (!is_fitted_to_rounding(factors, seen.statistics, seen.level / core.spread)) {
    return "the entries are fitted, but not to rounding";
  }
  const double share = core.evidence_needed * static_cast<double>(seen.statistics.kept) /
                       static_cast<double>(seen.statistics.observed());
  const int components = examine_components(engine, factors, seen.level, share, rng).bad;
  if (components > 0) {
    return fmt::format("{} components are not borne out by the entries", components);
  }
  const int contradicted =
      contradicted_rows(engine, factors, seen.slices, seen.level, rng, monitor);
  if (contradicted > 0) {
    return fmt::format("other values fit what {} rows of the factors do not", contradicted);
  }
  if (core.evidence_needed <= 1 && !components_can_mix(factors) && !have_zeros(factors)) return {};
  const int rows = examine_directions(engine, factors, seen.level, share, rng).bad;
  if (rows == 0) return {};
  return fmt::format("{} rows of the factors are not determined by the entries", rows);
}

Certificate certificate_of(const Factors& factors, const Verification& seen, const AskedRank& asked,
                           const std::optional<bool>& further) {
  const Index components = components_of(factors);
  Certificate certificate{
      Certified::none,
      fmt::format("in every slice at least {:.1f}% of the entries are fitted to rounding by a "
                  "model that they overdetermine",
                  100 * seen.weakest_share)};
  if (seen.unknown_slices > 0) {
    certificate.explanation += fmt::format(
        ", but for {} of them, which have too few entries where L is at work to tell what it is "
        "there: leave them out of the tensor",
        seen.unknown_slices);
  } else if (components < asked.rank && seen.statistics.missing > 0) {
    certificate.explanation += fmt::format(
        ", but it has only {} of the {} components asked for, and another may be where entries are "
        "missing: ask for as many as there are",
        components, asked.rank);
  } else if (!further && !asked.chosen) {
    certificate.explanation += fmt::format(
        ", but it has only {} of the {} components asked for, and S is too long to look for "
        "another in it: ask for as many as there are",
        components, asked.rank);
  } else {
    certificate.level = Certified::exact;
    if (!further) {
      certificate.explanation +=
          "; S is too long to look in it for a further component, at work on few entries";
    }
  }
  return certificate;
}

}  // namespace sunder::robust
