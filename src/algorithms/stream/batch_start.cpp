#include "algorithms/stream/batch_start.hpp"

#include <limits>
#include <optional>

#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/core/dense_tensor.hpp"

namespace sunder::streaming {

namespace {

/// The slices along a new last mode, which is stored slowest.
struct Stack {
  std::vector<double> entries;
  TensorView view;
};

Stack stacked(const Shape& shape, const std::deque<HeldSlice>& slices) {
  Stack stack;
  stack.entries.reserve(slices.size() * static_cast<std::size_t>(shape.entries()));
  for (const HeldSlice& slice : slices) {
    for (Index i = 0; i < shape.entries(); ++i) {
      stack.entries.push_back(slice.is_observed(i) ? slice.values[i]
                                                   : std::numeric_limits<double>::quiet_NaN());
    }
  }
  std::vector<Index> extents(shape.begin(), shape.end());
  extents.push_back(std::ssize(slices));
  ModeIndices strides = contiguous_strides(shape, StorageOrder::c);
  strides[shape.order()] = shape.entries();
  stack.view = TensorView(stack.entries.data(), ScalarType::f64, Shape(extents), strides);
  return stack;
}

SliceWindow window_from(const Decomposition& fit, const Shape& shape, int rank,
                        const WindowOptions& options, std::deque<HeldSlice> slices) {
  Factors factors;
  for (int mode = 0; mode < shape.order(); ++mode) {
    Matrix factor = Matrix::Zero(shape[mode], rank);
    factor.leftCols(fit.low_rank.rank()) = fit.low_rank.factor(mode);
    factors.push_back(std::move(factor));
  }
  const Matrix& history = fit.low_rank.factor(shape.order());
  for (std::size_t t = 0; t < slices.size(); ++t) {
    slices[t].w = Vector::Zero(rank);
    slices[t].w.head(fit.low_rank.rank()) =
        fit.low_rank.weights().cwiseProduct(history.row(static_cast<Index>(t)).transpose());
  }
  SliceWindow window(shape, rank, options);
  window.begin(std::move(factors), std::move(slices));
  window.settle();
  return window;
}

}  // namespace

SliceWindow batch_start(const Shape& slice_shape, int rank, const WindowOptions& options,
                        const std::deque<HeldSlice>& slices, std::uint64_t seed) {
  constexpr int most = 3;
  const Stack stack = stacked(slice_shape, slices);
  RunOptions run;
  run.rank = rank;
  run.threads = options.threads;
  run.collect_sparse = false;
  std::optional<SliceWindow> best;
  // A movement looks like noise to the solver, and the sweeps resolve it; a fit that remains
  // doubtful after both is repeated from other random starts.
  for (int attempt = 0; attempt < most; ++attempt) {
    run.seed = seed + (static_cast<std::uint64_t>(attempt) << 32);
    const Decomposition fit = robust_cp(stack.view, run, {});
    SliceWindow window = window_from(fit, slice_shape, rank, options, slices);
    const bool explained = window.typical_sigma() < 0.02 * window.typical_size();
    if (!best || window.typical_sigma() < best->typical_sigma()) best = std::move(window);
    if (explained || fit.outcome == Outcome::converged) break;
  }
  return std::move(*best);
}

}  // namespace sunder::streaming
