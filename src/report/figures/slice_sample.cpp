#include "report/figures/slice_sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "sunder/core/error.hpp"

namespace sunder {
namespace {

// Samples 0, step, 2 step, ... The step is constant, because a varying one would show as a pattern.
std::vector<Index> every_nth(Index extent, Index limit) {
  const Index step = std::max<Index>(1, (extent + limit - 1) / limit);
  std::vector<Index> indices;
  for (Index i = 0; i < extent; i += step) indices.push_back(i);
  return indices;
}

Index size(const std::vector<Index>& indices) { return std::ssize(indices); }

// Finds the two longest modes other than frame_mode, in their order in the tensor.
void choose_axes(const Shape& shape, SlicesOfMode& slices) {
  std::vector<int> modes;
  for (int mode = 0; mode < shape.order(); ++mode) {
    if (mode != slices.frame_mode) modes.push_back(mode);
  }
  std::stable_sort(modes.begin(), modes.end(), [&](int a, int b) { return shape[a] > shape[b]; });
  slices.row_mode = std::min(modes[0], modes[1]);
  slices.column_mode = std::max(modes[0], modes[1]);
}

SlicesOfMode plan(const Shape& shape, int frame_mode, const SliceLimits& limits, Index entries) {
  SlicesOfMode slices;
  slices.frame_mode = frame_mode;
  choose_axes(shape, slices);
  slices.rows = every_nth(shape[slices.row_mode], limits.side);
  slices.columns = every_nth(shape[slices.column_mode], limits.side);
  for (int mode = 0; mode < shape.order(); ++mode) {
    slices.fixed[mode] = shape[mode] / 2;
  }
  const Index most = std::max<Index>(1, entries / (size(slices.rows) * size(slices.columns)));
  slices.frames = frame_mode < 0 ? std::vector<Index>{0} : every_nth(shape[frame_mode], most);
  return slices;
}

Matrix chosen_rows(const Matrix& factor, const std::vector<Index>& rows) {
  Matrix out(size(rows), factor.cols());
  for (Index k = 0; k < size(rows); ++k) out.row(k) = factor.row(rows[k]);
  return out;
}

// Evaluates L on one slice: the factors of rows and columns times the product of all fixed modes.
Matrix low_rank_slice(const CpModel& model, const SlicesOfMode& slices, const ModeIndices& index,
                      const Matrix& rows, const Matrix& columns) {
  Vector scale = model.weights();
  for (int mode = 0; mode < model.order(); ++mode) {
    if (mode == slices.row_mode || mode == slices.column_mode) continue;
    const Index i = index[mode];
    scale.array() *= model.factor(mode).row(i).transpose().array();
  }
  return rows * scale.asDiagonal() * columns.transpose();
}

/// Looks up entries of S. Those that are asked for one after the other lie near each other, so that
/// each search starts where the last one ended, and doubles its steps.
class SparseLookup {
 public:
  explicit SparseLookup(const SparseTensor& sparse)
      : positions_(sparse.positions()), values_(sparse.values()) {}

  double operator()(Index position) {
    const auto count = std::ssize(positions_);
    std::ptrdiff_t begin = at_ < count && positions_[at_] <= position ? at_ : 0;
    std::ptrdiff_t step = 1;
    while (begin + step < count && positions_[begin + step] < position) {
      begin += step;
      step *= 2;
    }
    const auto end = std::min(begin + step + 1, count);
    const auto found =
        std::lower_bound(positions_.begin() + begin, positions_.begin() + end, position) -
        positions_.begin();
    at_ = std::max<std::ptrdiff_t>(found - 1, 0);
    return found < count && positions_[found] == position ? values_[found] : 0;
  }

 private:
  std::span<const Index> positions_;
  std::span<const double> values_;
  std::ptrdiff_t at_ = 0;  ///< the last entry before the one that was asked for
};

void add_entry(SlicesOfMode& slices, ResidualHistogram& residuals, double data, double low_rank,
               double sparse) {
  const bool missing = std::isnan(data);
  slices.data.push_back(static_cast<float>(data));
  slices.low_rank.push_back(static_cast<float>(low_rank));
  slices.sparse.push_back(missing ? std::numeric_limits<float>::quiet_NaN()
                                  : static_cast<float>(sparse));
  if (!missing) residuals.add(data - low_rank, sparse != 0);
}

void fill(SlicesOfMode& slices, ResidualHistogram& residuals, const TensorView& tensor,
          const CpModel& low_rank, const SparseTensor& sparse) {
  const Matrix rows = chosen_rows(low_rank.factor(slices.row_mode), slices.rows);
  const Matrix columns = chosen_rows(low_rank.factor(slices.column_mode), slices.columns);
  const ModeIndices places = contiguous_strides(tensor.shape(), StorageOrder::c);
  const Index step = places[slices.column_mode];
  SparseLookup entry_of_sparse(sparse);
  ModeIndices index = slices.fixed;
  for (const Index frame : slices.frames) {
    if (slices.frame_mode >= 0) index[slices.frame_mode] = frame;
    const Matrix model = low_rank_slice(low_rank, slices, index, rows, columns);
    for (Index i = 0; i < size(slices.rows); ++i) {
      index[slices.row_mode] = slices.rows[i];
      index[slices.column_mode] = 0;
      const Index first = tensor.shape().linear(index);
      for (Index j = 0; j < size(slices.columns); ++j) {
        index[slices.column_mode] = slices.columns[j];
        const double other = entry_of_sparse(first + slices.columns[j] * step);
        add_entry(slices, residuals, tensor(index), model(i, j), other);
      }
    }
  }
}

}  // namespace

SliceSample sample_slices(const TensorView& tensor, const CpModel& low_rank,
                          const SparseTensor& sparse, const SliceLimits& limits) {
  const Shape& shape = tensor.shape();
  if (!(shape == low_rank.shape())) {
    throw InputError(fmt::format("the tensor has shape {}, but the result has shape {}",
                                 to_string(shape), to_string(low_rank.shape())));
  }
  require_decomposable(shape);
  SliceSample sample;
  const bool matrix = shape.order() == 2;
  const int cuts = matrix ? 1 : shape.order();
  for (int cut = 0; cut < cuts; ++cut) {
    sample.modes.push_back(plan(shape, matrix ? -1 : cut, limits, limits.entries / cuts));
    fill(sample.modes.back(), sample.residuals, tensor, low_rank, sparse);
  }
  return sample;
}

}  // namespace sunder
