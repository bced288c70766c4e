#include "sunder/io/result_folder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <system_error>

#include "core/files/output_file.hpp"
#include "io/npy/npy_file.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/npy.hpp"

namespace sunder {

namespace fs = std::filesystem;

namespace {

constexpr const char* weights_name = "weights.npy";
constexpr const char* coordinates_name = "sparse_coords.npy";
constexpr const char* values_name = "sparse_values.npy";
constexpr const char* weights_errors_name = "weights_se.npy";
constexpr const char* q_name = "sparse_q.npy";

fs::path factor_path(const fs::path& folder, int mode) {
  return folder / fmt::format("factors_{}.npy", mode);
}

/// Writes through a small buffer: all coordinates at once would take up to four times the memory of
/// the sparse tensor itself.
void write_coordinates(const fs::path& path, const SparseTensor& sparse) {
  constexpr std::size_t buffer_entries = 1 << 16;
  const int order = sparse.shape().order();
  OutputFile file(path);
  file.write_values(std::span<const char>(
      format_npy_header("<i8", StorageOrder::c, {sparse.count(), Index{order}})));
  std::vector<Index> buffer;
  buffer.reserve(buffer_entries + max_order);
  for (Index k = 0; k < sparse.count(); ++k) {
    const ModeIndices index = sparse.coordinates(k);
    buffer.insert(buffer.end(), index.begin(), index.begin() + order);
    if (buffer.size() < buffer_entries) continue;
    file.write_values(std::span<const Index>(buffer));
    buffer.clear();
  }
  file.write_values(std::span<const Index>(buffer));
  file.commit();
}

template <class Derived>
void require_finite(const Eigen::DenseBase<Derived>& numbers, const fs::path& path) {
  if (numbers.derived().allFinite()) return;
  throw InputError(
      fmt::format("cannot use {}: it holds NaN or infinite values, where every number "
                  "must be finite; write the folder again",
                  path.string()));
}

void require_no_gap(const fs::path& folder, int order) {
  for (int mode = order + 1; mode <= max_order; ++mode) {
    if (!fs::exists(factor_path(folder, mode))) continue;
    throw InputError(fmt::format("cannot read {}: the file is missing, though {} is there",
                                 factor_path(folder, order).string(),
                                 factor_path(folder, mode).filename().string()));
  }
}

CpModel read_model(const fs::path& folder) {
  const fs::path weights_path = folder / weights_name;
  Vector weights = read_npy_vector(weights_path);
  require_finite(weights, weights_path);
  std::vector<Matrix> factors;
  for (int mode = 0; mode < min_order || fs::exists(factor_path(folder, mode)); ++mode) {
    const fs::path path = factor_path(folder, mode);
    if (mode >= max_order) {
      throw InputError(
          fmt::format("cannot use {}: a tensor has at most {} modes, factors_0.npy to "
                      "factors_{}.npy",
                      path.string(), max_order, max_order - 1));
    }
    factors.push_back(read_npy_matrix(path));
    require_finite(factors.back(), path);
    if (factors.back().cols() == weights.size()) continue;
    throw InputError(
        fmt::format("cannot use {}: it has {} columns, but {} has {} entries; both "
                    "must equal the rank",
                    path.string(), factors.back().cols(), weights_name, weights.size()));
  }
  require_no_gap(folder, static_cast<int>(factors.size()));
  return {std::move(weights), std::move(factors)};
}

Index checked_position(const fs::path& path, const Shape& shape, Index row,
                       const ModeIndices& index) {
  for (int mode = 0; mode < shape.order(); ++mode) {
    const Index i = index[mode];
    if (i >= 0 && i < shape[mode]) continue;
    throw InputError(
        fmt::format("cannot use {}: coordinate {} of row {} is {}, outside 0 to {} "
                    "(the factors have shape {})",
                    path.string(), mode, row, i, shape[mode] - 1, to_string(shape)));
  }
  return shape.linear(index);
}

/// Returns positions in C order, from a count x order array of int64 in either storage order.
std::vector<Index> read_positions(const fs::path& path, const Shape& shape) {
  const NpyArray array(path);
  const Shape& extents = array.header.shape;
  if (array.header.dtype != "<i8" || extents.order() != 2 || extents[1] != shape.order()) {
    throw InputError(
        fmt::format("cannot use {}: expected a count x {} array of dtype <i8, but it "
                    "is {} of dtype {}",
                    path.string(), shape.order(), to_string(extents), array.header.dtype));
  }
  const NpyArray::Entries entries = array.map(sizeof(Index));
  const ModeIndices strides = contiguous_strides(extents, array.header.order);
  std::vector<Index> positions(extents[0]);
  for (Index row = 0; row < extents[0]; ++row) {
    ModeIndices index{};
    for (int mode = 0; mode < shape.order(); ++mode) {
      const Index offset = row * strides[0] + mode * strides[1];
      std::memcpy(&index[mode], entries.bytes.data() + offset * static_cast<Index>(sizeof(Index)),
                  sizeof(Index));
    }
    positions[row] = checked_position(path, shape, row, index);
  }
  return positions;
}

SparseTensor read_sparse(const fs::path& folder, const Shape& shape) {
  const fs::path coordinates_path = folder / coordinates_name;
  const fs::path values_path = folder / values_name;
  std::vector<Index> positions = read_positions(coordinates_path, shape);
  const Vector values = read_npy_vector(values_path);
  require_finite(values, values_path);
  if (values.size() != std::ssize(positions)) {
    throw InputError(fmt::format("cannot use {}: it has {} values, but {} has {} rows",
                                 values_path.string(), values.size(), coordinates_name,
                                 positions.size()));
  }
  try {
    return {shape, std::move(positions), std::vector<double>(values.begin(), values.end())};
  } catch (const InputError& error) {
    throw InputError(fmt::format("cannot use {}: {}", coordinates_path.string(), error.what()));
  }
}

}  // namespace

std::vector<std::string> result_file_names() {
  return {"factors_*.npy", weights_name, weights_errors_name, coordinates_name,
          values_name,     q_name,       "report.html",       "summary.json"};
}

void write_low_rank(const fs::path& folder, const CpModel& low_rank) {
  for (int mode = 0; mode < low_rank.order(); ++mode) {
    write_npy(factor_path(folder, mode), low_rank.factor(mode));
  }
  write_npy(folder / weights_name, low_rank.weights());
}

void write_low_rank_plus_sparse(const fs::path& folder, const CpModel& low_rank,
                                const SparseTensor& sparse) {
  write_low_rank(folder, low_rank);
  write_coordinates(folder / coordinates_name, sparse);
  const std::span<const double> values = sparse.values();
  write_npy(folder / values_name, TensorView::of(values.data(), {sparse.count()}));
}

void write_sparse_q(const fs::path& folder, const std::vector<double>& q) {
  if (!q.empty()) write_npy(folder / q_name, TensorView::of(q.data(), {std::ssize(q)}));
}

void write_standard_errors(const fs::path& folder, const std::vector<Matrix>& factors,
                           const Vector& weights) {
  for (std::size_t mode = 0; mode < factors.size(); ++mode) {
    write_npy(folder / fmt::format("factors_{}_se.npy", mode), factors[mode]);
  }
  if (weights.size() > 0) write_npy(folder / weights_errors_name, weights);
}

CpModel read_low_rank(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    throw InputError(
        fmt::format("cannot read {}: expected a folder that holds factors_0.npy, "
                    "weights.npy and so on; check the path",
                    folder.string()));
  }
  return read_model(folder);
}

LowRankPlusSparse read_low_rank_plus_sparse(const fs::path& folder) {
  CpModel low_rank = read_low_rank(folder);
  SparseTensor sparse = read_sparse(folder, low_rank.shape());
  return {std::move(low_rank), std::move(sparse)};
}

}  // namespace sunder
