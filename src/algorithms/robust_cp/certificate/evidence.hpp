#pragma once
/// What is known about a model when the certificate is asked for. T is read, entries are sampled
/// and S is searched when a condition first needs it, and not before.

#include <optional>
#include <utility>

#include "algorithms/robust_cp/certificate/conditions/slices.hpp"
#include "algorithms/robust_cp/certificate/sparse_pass.hpp"
#include "algorithms/robust_cp/consensus/search_report.hpp"
#include "algorithms/robust_cp/core/core_solver.hpp"

namespace sunder::robust {

/// The rank that the model was fitted with.
struct AskedRank {
  Index rank = 0;
  bool chosen = false;  ///< from the data, so that there may be further components
  /// The solver has searched all of T for components that are left over: the core is all of T.
  bool searched_all = false;
};

/// Whether S shows a component that is not in the model.
enum class FurtherComponent { none, shows, unknown };

/// Components that are more than rounding.
Index components_of(const Factors& factors);

/// The largest |T - L| that rounding alone can leave, for data of this spread.
double rounding_bound(const Engine& engine, Precision precision, Index rank, double spread);
/// What rounding does to the ratio of two entries, at most.
double ratio_rounding(const Engine& engine, Precision precision);

class Evidence {
 public:
  /// `pass` reads T with residuals below `level` as rounding; `rng` draws the sampled entries. The
  /// references outlive the evidence.
  Evidence(const Factors& factors, const CoreSolution& core, const AskedRank& asked,
           SparsePass& pass, double level, const Rng& rng)
      : factors_(factors), core_(core), asked_(asked), rng_(rng), pass_(pass), level_(level) {}

  const Factors& factors() const { return factors_; }  ///< of the model, in the unit of T
  const CoreSolution& core() const { return core_; }   ///< that the model was extended from
  const AskedRank& asked() const { return asked_; }
  /// The search that ended at the model, and the pass that it ended with, if it made one.
  const SearchReport& search() const { return search_; }
  void set_search(const SearchReport& report, std::optional<TensorFit> fit) {
    search_ = report;
    fit_ = std::move(fit);
  }
  Rng& rng() { return rng_; }  ///< for conditions that sample entries
  Engine& engine() { return pass_.engine(); }
  Monitor& monitor() { return pass_.monitor(); }

  Index components() const { return components_of(factors_); }
  /// Whether T may have components besides those of the model.
  bool may_have_more() const {
    return asked_.chosen || (components() < asked_.rank && !asked_.searched_all);
  }

  /// Reads T once.
  TensorFit& fit();
  const SliceEvidence& slices();
  /// The share of all entries that is fitted, times what the core's outliers ask for.
  double usual_share() { return core_.evidence_needed * fit().fitted_share(); }
  /// Searches S once.
  FurtherComponent further_component();

 private:
  FurtherComponent search_sparse();

  const Factors& factors_;
  const CoreSolution& core_;
  AskedRank asked_;
  SearchReport search_;
  Rng rng_;
  SparsePass& pass_;
  double level_;
  std::optional<TensorFit> fit_;
  std::optional<SliceEvidence> slices_;
  std::optional<FurtherComponent> further_;
};

}  // namespace sunder::robust
