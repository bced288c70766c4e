#include "algorithms/robust_cp/consensus/components/hidden_components.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/robust_cp/levels/certificate.hpp"
#include "algorithms/robust_cp/levels/search.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace {

namespace search = levels::search;

Shape shape_of(const IndexSets& sets) {
  std::vector<Index> extents;
  for (const auto& set : sets) extents.push_back(std::ssize(set));
  return Shape(extents);
}

/// The probability that a Poisson variable is at least `least`.
double at_least(int least, double mean) {
  double term = std::exp(-mean);
  double below = 0;
  for (int k = 0; k < least; ++k, term *= mean / k) below += term;
  return 1 - below;
}

/// Entries that the model loses by so many components in the box.
double lost_by(int count, const Box& box, const Places& places) {
  const Index leave = std::max<Index>(0, count - places.free);
  return static_cast<double>(leave * places.cost_of_place + box.known - box.sparse);
}

}  // namespace

bool is_worth_a_component(const Box& box, const Places& places) {
  return lost_by(1, box, places) < static_cast<double>(box.sparse);
}

bool pairs_show_component(const Shape& box, double share, double ratio_rounding) {
  namespace limits = levels::outliers;
  double expected = 0;
  for (int mode = 0; mode < box.order(); ++mode) {
    const auto rows = static_cast<double>(box[mode]);
    const double in_slice = static_cast<double>(box.entries()) / rows;
    const double pairs_of_slices = rows * (rows - 1) / 2;
    const double all = pairs_of_slices * in_slice;
    if (all > static_cast<double>(search::most_pairs_in_box)) return false;
    // As many pairs of entries with one ratio as are no accident: so many others beside one.
    const double by_accident = in_slice * ratio_rounding;
    int others = 1;
    while (others < static_cast<int>(limits::repeats) &&
           all * std::pow(by_accident, others) >= limits::accidents) {
      ++others;
    }
    expected += pairs_of_slices * at_least(others + 1, in_slice * share * share);
  }
  return expected > search::shown_by_pairs;
}

bool may_hide_components(const Box& box, const Places& places, double ratio_rounding) {
  if (!(box.nats_in_slices > 0)) return false;
  const Shape shape = shape_of(box.sets);
  double unknowns = 1 - shape.order();
  for (const Index extent : shape) unknowns += static_cast<double>(extent);
  const auto sparse = static_cast<double>(box.sparse);
  for (int count = 1; count <= places.most; ++count) {
    const double least =
        std::max(lost_by(count, box, places), levels::evidence_per_unknown * count * unknowns);
    if (least >= sparse) return false;  // nor would more be worth their cost
    const double share = least / static_cast<double>(box.known);
    const bool solved =
        share >= search::found_share && least >= search::found_per_unknown * count * unknowns;
    const bool shown = count == 1 && pairs_show_component(shape, share, ratio_rounding);
    if (!solved && !shown) return true;
  }
  return false;
}

}  // namespace sunder::robust
