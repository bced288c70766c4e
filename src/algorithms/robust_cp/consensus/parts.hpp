#pragma once
/// Parts of T: products of index sets on which the search looks at a model.

#include <optional>
#include <vector>

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/sampling.hpp"

namespace sunder::robust {

IndexSets all_indices(const Shape& shape);

/// The rows of the factors at these indices.
Factors at(const Factors& factors, const IndexSets& sets);

/// A part with rows of every component, which may be at work on few of them; all of T if it is
/// hardly larger.
IndexSets rows_of_every_component(const Shape& shape, const ModeConstraints& constraints,
                                  const Factors& components, Rng& rng);

/// The rows of each mode that hold most of S, if they stand out in two modes or more.
std::optional<IndexSets> rows_with_most_of_sparse(const Shape& extents,
                                                  const ModeConstraints& constraints,
                                                  const std::vector<SliceStatistics>& slices);

}  // namespace sunder::robust
