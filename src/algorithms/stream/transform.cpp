// Notation:  K  Khatri-Rao product of the factors, a row for each entry of a slice
//            y_t  entries of slice t    w_t  its coefficients: y_t = K w_t + S_t
#include "sunder/algorithms/transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/run/double_entries.hpp"
#include "algorithms/stream/held_slice.hpp"
#include "core/require_option.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

using streaming::HeldSlice;

/// How many slices are held as doubles at a time.
constexpr Index batch = 64;

void require_fitting(const std::vector<Matrix>& factors, int mode, const Shape& shape) {
  if (mode < 0 || mode >= shape.order()) {
    throw OptionError(fmt::format("the mode of the slices must be from 0 to {}, but is {}",
                                  shape.order() - 1, mode));
  }
  const int persistent = static_cast<int>(factors.size());
  if (persistent == 0 || persistent + 1 != shape.order()) {
    throw InputError(
        fmt::format("the model has {} modes besides that of the slices, but the data have shape "
                    "{}: expected {} modes in all",
                    persistent, to_string(shape), persistent + 1));
  }
  for (int m = 0, k = 0; m < shape.order(); ++m) {
    if (m == mode) continue;
    const Matrix& factor = factors[k++];
    if (factor.rows() == 0) throw InputError("the slices have no entries: give some");
    if (factor.rows() != shape[m]) {
      throw InputError(
          fmt::format("mode {} of the data has length {}, but the model was fitted with {}: give "
                      "slices of the same size",
                      m, shape[m], factor.rows()));
    }
    if (factor.cols() != factors.front().cols()) {
      throw InputError(
          "the factors have different numbers of columns: give one for each component");
    }
    if (!factor.allFinite()) {
      throw InputError("a factor of the model has an entry that is not finite: fit it again");
    }
  }
}

/// Where an entry of a slice lies in all of them together, in C order.
class SlicePositions {
 public:
  SlicePositions(const Shape& shape, int mode) : extent_(shape[mode]) {
    for (int m = mode + 1; m < shape.order(); ++m) inner_ *= shape[m];
  }
  Index of(Index slice, Index entry) const {
    return (entry / inner_ * extent_ + slice) * inner_ + entry % inner_;
  }

 private:
  Index extent_;
  Index inner_ = 1;  ///< entries of the modes that run faster than that of the slices
};

}  // namespace

Transformed transform(const std::vector<Matrix>& factors, int mode, const TensorView& slices,
                      const TransformOptions& options) {
  const Shape& shape = slices.shape();
  require_fitting(factors, mode, shape);
  if (!(options.noise_width > 0)) {
    throw OptionError(fmt::format("noise-width must be positive, but is {}", options.noise_width));
  }
  require_threads(options.threads);
  const Index count = shape[mode];
  const Index rank = factors.front().cols();
  Transformed result;
  result.coefficients = Matrix::Zero(count, rank);
  result.residual = Vector::Zero(count);
  const SlicePositions positions(shape, mode);
  std::vector<Index> found;
  std::vector<double> values;
  for (Index begin = 0; begin < count; begin += batch) {
    const double fraction = static_cast<double>(begin) / static_cast<double>(count);
    if (report(options.progress, {.stage = "robust regression", .fraction = fraction}) ==
        Continue::cancel) {
      throw Cancelled();
    }
    std::vector<HeldSlice> held;
    for (Index t = begin; t < std::min(begin + batch, count); ++t) {
      held.push_back(streaming::hold(slices.slab(mode, t, t + 1), t));
    }
    for_each_piece(std::ssize(held), options.threads, [&](Index k) {
      HeldSlice& slice = held[k];
      if (slice.values.size() - slice.missing() < rank) {
        slice.w = Vector::Constant(rank, std::numeric_limits<double>::quiet_NaN());
      } else if (rank > 0) {
        streaming::regress(slice, factors, 0, options.noise_width);
      } else {
        slice.w = Vector(0);
        slice.kept.setZero();
      }
    });
    for (const HeldSlice& slice : held) {
      result.coefficients.row(slice.number) = slice.w.transpose();
      result.missing_count += slice.missing();
      result.residual[slice.number] = std::numeric_limits<double>::quiet_NaN();
      if (!slice.w.allFinite()) continue;
      const streaming::SliceSplit parts = streaming::split(slice, factors);
      result.residual[slice.number] = parts.residual;
      for (const Index entry : parts.positions) found.push_back(positions.of(slice.number, entry));
      values.insert(values.end(), parts.values.begin(), parts.values.end());
    }
  }
  result.sparse = SparseTensor(shape, std::move(found), std::move(values));
  return result;
}

}  // namespace sunder
