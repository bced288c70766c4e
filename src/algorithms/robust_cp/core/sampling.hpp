#pragma once
/// Which entries of T the nested solver looks at.

#include "algorithms/cp/mode_constraints.hpp"
#include "algorithms/robust_cp/core/dense_core.hpp"
#include "algorithms/robust_cp/rows/row_problem.hpp"
#include "engine/engine.hpp"

namespace sunder::robust {

/// For each mode, the chosen indices in ascending order.
using IndexSets = std::vector<std::vector<Index>>;

/// The least extent of a core, in modes that are as long.
Index least_extent(int rank);

/// Extents of a core of about side^order entries: short modes are kept whole, the others grow to
/// keep the volume.
Shape core_shape(const Shape& shape, int rank, Index side);

/// Distinct random indices of each mode.
IndexSets draw_indices(const Shape& shape, const Shape& core, Rng& rng);

/// The same indices for modes that share a factor.
IndexSets draw_shared_indices(const Shape& shape, const Shape& core,
                              const ModeConstraints& constraints, Rng& rng);

/// T on the product of the index sets. Throws InputError at an infinite entry; one of 1e300, whose
/// square would overflow, is replaced by one that is merely far beyond the others.
DenseCore gather_core(Engine& engine, const IndexSets& sets);

/// Whole fibres of one mode of T / scale at `columns` of the Khatri-Rao product of the other modes'
/// sets (all if empty), `rows` of them (all if empty), with the core's factors as the design.
/// Treats infinite and huge entries alike.
RowProblem gather_rows(Engine& engine, const IndexSets& sets, const Factors& core, int mode,
                       double scale, std::span<const Index> columns,
                       std::span<const Index> rows = {});

}  // namespace sunder::robust
