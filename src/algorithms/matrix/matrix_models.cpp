#include "algorithms/matrix/matrix_models.hpp"

#include <algorithm>

#include "algorithms/cp/component_list.hpp"

namespace sunder {

namespace {

/// The distance of two columns of the matrix that differ by one in a column mode.
Index column_step(const FlatteningLayout& layout, int of_mode) {
  Index step = 1;
  for (auto mode = layout.column_modes.rbegin(); *mode != of_mode; ++mode) {
    step *= layout.shape[*mode];
  }
  return step;
}

int longest_column_mode(const FlatteningLayout& layout) {
  return *std::max_element(layout.column_modes.begin(), layout.column_modes.end(),
                           [&](int a, int b) { return layout.shape[a] < layout.shape[b]; });
}

}  // namespace

CpModel unflattened(const CpModel& matrix, const FlatteningLayout& layout) {
  const Shape& shape = layout.shape;
  const int fibre_mode = longest_column_mode(layout);
  const Index length = shape[fibre_mode];
  const Index step = column_step(layout, fibre_mode);
  const Index columns = matrix.factor(1).rows();
  ComponentList components(shape, matrix.rank() * (columns / length));
  for (Index i = 0; i < matrix.rank(); ++i) {
    if (matrix.weights()[i] == 0) continue;
    for (Index first = 0; first < columns; ++first) {
      if (first / step % length != 0) continue;  // not the beginning of a fibre
      const auto fibre = matrix.factor(1).col(i)(Eigen::seqN(first, length, step));
      if ((fibre.array() == 0).all()) continue;
      components.add(matrix.weights()[i]);
      components.column(layout.row_mode) = matrix.factor(0).col(i);
      const ModeIndices index = shape.unravel(layout.position(0, first));
      for (const int mode : layout.column_modes) {
        if (mode == fibre_mode) continue;
        components.column(mode)[index[mode]] = 1;
      }
      components.column(fibre_mode) = fibre;
    }
  }
  return std::move(components).model();
}

CpModel stacked(const std::vector<CpModel>& slices, const SliceLayout& layout) {
  Index most = 0;
  for (const CpModel& slice : slices) most += slice.rank();
  ComponentList components(layout.shape, most);
  for (std::size_t k = 0; k < slices.size(); ++k) {
    const ModeIndices corner = layout.corner(static_cast<Index>(k));
    for (Index i = 0; i < slices[k].rank(); ++i) {
      if (slices[k].weights()[i] == 0) continue;
      components.add(slices[k].weights()[i]);
      for (int mode = 0; mode < layout.shape.order(); ++mode) {
        if (mode == layout.modes[0]) {
          components.column(mode) = slices[k].factor(0).col(i);
        } else if (mode == layout.modes[1]) {
          components.column(mode) = slices[k].factor(1).col(i);
        } else {
          components.column(mode)[corner[mode]] = 1;
        }
      }
    }
  }
  return std::move(components).model();
}

SparseTensor unflattened(const SparseTensor& matrix, const FlatteningLayout& layout) {
  std::vector<Index> positions;
  positions.reserve(matrix.positions().size());
  const Index columns = layout.matrix_shape()[1];
  for (const Index position : matrix.positions()) {
    positions.push_back(layout.position(position / columns, position % columns));
  }
  return {layout.shape, std::move(positions), {matrix.values().begin(), matrix.values().end()}};
}

SparseTensor stacked(const std::vector<SparseTensor>& slices, const SliceLayout& layout) {
  std::vector<Index> positions;
  std::vector<double> values;
  const Index columns = layout.slice_shape()[1];
  for (std::size_t k = 0; k < slices.size(); ++k) {
    for (const Index position : slices[k].positions()) {
      positions.push_back(
          layout.position(static_cast<Index>(k), position / columns, position % columns));
    }
    values.insert(values.end(), slices[k].values().begin(), slices[k].values().end());
  }
  return {layout.shape, std::move(positions), std::move(values)};
}

}  // namespace sunder
