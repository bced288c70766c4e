#pragma once
/// The task of a kernel: one tile, what to compute, and where the results go. It is plain data: the
/// scheduler (chunk_worker) fills it in; the kernels neither allocate nor know about tensors.
///
/// Notation, here and in the kernels: a tile has rows i of the second-fastest mode and columns j of
/// the fastest one; k is a component; a_ik and b_jk are the model's factors (a already multiplied
/// by the weights and by the rows of the slower modes); p_ik and q_jk are the probe's factors.

#include <type_traits>

#include "engine/pass/rule.hpp"
#include "sunder/core/scalar_type.hpp"
#include "sunder/core/shape.hpp"

namespace sunder::kernels {

/// The number of rows that a kernel processes together; residual-inl.hpp gives the reason.
inline constexpr Index strip_rows = 3;
/// The number of vectors side by side in one panel of column factors.
inline constexpr Index panel_vectors = 4;

struct TileSums {
  Index kept = 0;
  Index rejected = 0;
  Index missing = 0;
  double kept_square_sum = 0;
  double rejected_square_sum = 0;
  double weight_sum = 0;
  double cost_sum = 0;
  double data_square_sum = 0;
  double data_max = 0;

  void add(const TileSums& other);
};

/// One number for each row or each column of a tile.
template <class Number>
struct SliceSums {
  Number* observed = nullptr;
  Number* fitted = nullptr;
  Number* kept = nullptr;
  Number* kept_square_sum = nullptr;
};

/// A lane of a comparison (all bits set or none), and a counter of the same size.
template <class Real>
using Lane = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;

/// The counts of a task that requests counts alone. The number of observed entries follows from the
/// number of missing ones, which are few.
template <class Real>
struct SliceCounts {
  Index* row_fitted = nullptr;  ///< null: not requested; all counts are added to
  Index* row_missing = nullptr;
  Lane<Real>* column_fitted = nullptr;  ///< padded to `width`
  Lane<Real>* column_missing = nullptr;
};

/// Receives the entries of S and their positions in T, in the order in which the tile is walked.
/// There must be room for a strip and one more vector beyond `count`.
struct Found {
  Index* position = nullptr;
  double* value = nullptr;
  Index count = 0;
  Index first_position = 0;  ///< position of the tile's first entry
  Index row_step = 0;
  Index column_step = 0;
};

/// Callbacks: one before each strip, to make room for S, and one with the residuals of each strip
/// (rows `width` apart), for work that needs them one by one. Null if not needed.
template <class Real>
struct Inspector {
  void (*strip)(void* context, Index rows, Index columns, const Real* residual,
                Index width) = nullptr;
  void (*make_room)(void* context, Index entries) = nullptr;
  void* context = nullptr;
};

/// A panel of a column factor holds `panel_vectors` vectors of columns, component after component:
/// panel[k][column]. The last panel of a tile has only as many vectors as it needs and is padded
/// with zeros. A streaming kernel has a single panel as wide as the tile.
template <class Real>
struct TileTask {
  // The entries. Strides count elements. A zero in the mask marks a missing entry.
  const void* data = nullptr;
  ScalarType type = ScalarType::f64;
  std::size_t entry_bytes = 8;
  Index row_stride = 0;
  Index column_stride = 1;
  const std::uint8_t* mask = nullptr;
  Index mask_row_stride = 0;
  Index mask_column_stride = 0;
  Index rows = 0;
  Index columns = 0;
  Index width = 0;  ///< columns rounded up to whole vectors

  // The factors: rows x rank, row by row; and panels, aligned to 64 bytes.
  Index model_rank = 0;
  const Real* model_rows = nullptr;
  const Real* model_panels = nullptr;
  Index probe_rank = 0;
  const Real* probe_rows = nullptr;
  const Real* probe_panels = nullptr;

  // A row counts only its entries in alive columns, and a column only those in alive rows. Lanes
  // have all bits set or none; none beyond the last column.
  const Lane<Real>* column_alive = nullptr;
  const std::uint8_t* row_alive = nullptr;
  bool all_alive = false;

  Rule rule;
  double fit_tolerance = 0;
  bool contract_columns = false;  ///< fill `contracted`: for the row mode and the outer ones
  bool contract_rows = false;     ///< add to `column_sums`: for the column mode
  bool data_statistics = false;
  bool sums_wanted = true;  ///< if false, a kernel may leave `sums` unchanged

  // Scratch memory: three rows of `width` each; `found_columns` holds one vector more than `width`;
  // lanes: strip_rows x probe_rank vectors.
  Real* widened = nullptr;
  Real* residual = nullptr;
  Real* kept = nullptr;
  Real* lanes = nullptr;
  Lane<Real>* found_columns = nullptr;
  Real* found_values = nullptr;

  // Results.
  double* contracted = nullptr;   ///< sum_j K_ij q_jk, rows x probe_rank, overwritten
  Real* column_sums = nullptr;    ///< panels of sum_i K_ij p_ik, added to
  TileSums* sums = nullptr;       ///< added to
  SliceSums<double> row_slices;   ///< added to; null: not requested
  SliceSums<Real> column_slices;  ///< added to; padded to `width`
  SliceCounts<Real> counts;
  Found* found = nullptr;  ///< null: S is not requested
  Inspector<Real> inspector;
};

}  // namespace sunder::kernels
