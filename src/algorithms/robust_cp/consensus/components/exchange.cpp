#include "algorithms/robust_cp/consensus/components/exchange.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/robust_cp/consensus/components/fewer_components.hpp"
#include "algorithms/robust_cp/consensus/rows/row_moves.hpp"
#include "algorithms/robust_cp/core/constrained_fit.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace {

/// The model without the component that fits the least, and the entries that it then fits.
std::pair<Factors, Index> without_least(const Window& window, const Factors& model,
                                        Monitor& monitor) {
  std::pair<Factors, Index> best{{}, -1};
  for (Index k = 0; k < model.front().cols(); ++k) {
    Factors fewer = without_component(model, k);
    const Index fitted = window.fitted(fewer, monitor);
    if (fitted > best.second) best = {std::move(fewer), fitted};
  }
  return best;
}

/// Leaves out components beyond the room; `before` is what the model fitted without the new ones.
void make_room(const Window& window, const ExchangeOptions& options, Index before, Factors& model,
               Trial& trial, Rng& rng, Monitor& monitor) {
  const auto is_too_large = [&](const Factors& factors) {
    return factors.front().cols() > options.most_components;
  };
  const Index fitted = window.fitted(model, monitor);
  while (is_too_large(model)) {
    std::optional<Factors> fewer = with_fewer_components(window, model, fitted, rng, monitor);
    if (!fewer) break;
    model = std::move(*fewer);
  }
  if (!is_too_large(model)) return;
  Factors kept = model;
  while (is_too_large(kept)) kept = without_least(window, kept, monitor).first;
  const bool could_fit_more =
      options.redundant && static_cast<double>(fitted - before) > trial.unknowns;
  trial.too_large = could_fit_more && window.fitted(kept, monitor) <= before;
  if (trial.too_large) return;
  trial.exchanged = true;
  model = std::move(kept);
}

}  // namespace

double Trial::value() const { return gain - levels::evidence_per_unknown * unknowns; }

bool Trial::is_better() const { return !too_large && (exchanged ? gain > 0 : value() > 0); }

Trial with_components(const Window& window, const Factors& model, const Factors& added,
                      const ExchangeOptions& options, Rng& rng, Monitor& monitor) {
  const Index before = window.fitted(model, monitor);
  Factors larger = joined(model, added);
  impose(window.constraints, larger);
  settle_rows(window, larger, rng, monitor);
  larger = live_components(larger, window.level);
  impose(window.constraints, larger);
  Trial trial;
  // Rows outside of the box may have got coefficients, each of which fits an entry of S.
  trial.unknowns =
      static_cast<double>(std::max(unknowns_of_components(added),
                                   unknowns_of_components(larger) - unknowns_of_components(model)));
  if (options.most_components > 0 && larger.front().cols() > options.most_components) {
    make_room(window, options, before, larger, trial, rng, monitor);
  }
  trial.gain = static_cast<double>(window.fitted(larger, monitor) - before);
  trial.factors = std::move(larger);
  return trial;
}

Index cost_of_place(const Window& window, const Factors& model, Monitor& monitor) {
  return window.fitted(model, monitor) - without_least(window, model, monitor).second;
}

}  // namespace sunder::robust
