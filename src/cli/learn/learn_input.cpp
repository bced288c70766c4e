#include "cli/learn/learn_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>

#include "sunder/core/error.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::cli {

namespace {

LoadedTensor read_array(const std::string& location, int order, const char* shape) {
  LoadedTensor loaded = open_tensor(location)->load();
  if (loaded.view.order() != order) {
    throw InputError(fmt::format("{} must have the shape {}, but has {}", location, shape,
                                 to_string(loaded.view.shape())));
  }
  return loaded;
}

void require_extents(const std::string& location, const Shape& shape, Index extent) {
  for (const Index n : shape) {
    if (n == extent) continue;
    throw InputError(
        fmt::format("{} must have {} variables in every mode, as the second moment, "
                    "but has the shape {}",
                    location, extent, to_string(shape)));
  }
}

}  // namespace

void MomentFiles::add_flags(CLI::App& command) {
  command.add_option("--m1", first, "first moment, instead of data")->type_name("FILE");
  command.add_option("--m2", second, "second moment")->type_name("FILE");
  command.add_option("--m3", third, "third moment")->type_name("FILE");
}

bool MomentFiles::given() const {
  const bool any = !first.empty() || !second.empty() || !third.empty();
  if (any && (first.empty() || second.empty() || third.empty())) {
    throw OptionError("moments need all three of --m1, --m2 and --m3");
  }
  return any;
}

SymmetricMoments MomentFiles::read() const {
  SymmetricMoments moments;
  moments.second = read_matrix(second);
  const Index n = moments.second.rows();
  require_extents(second, Shape{n, moments.second.cols()}, n);
  const LoadedTensor one = read_array(first, 1, "n");
  require_extents(first, one.view.shape(), n);
  moments.first = Vector::NullaryExpr(n, [&](Index i) { return one.view({i}); });
  const LoadedTensor three = read_array(third, 3, "n x n x n");
  require_extents(third, three.view.shape(), n);
  moments.third.resize(n, n * n);
  for (Index k = 0; k < n; ++k) {
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) moments.third(i, j + n * k) = three.view({i, j, k});
    }
  }
  return moments;
}

std::optional<LatentTruth> read_truth(const std::string& folder, const std::string& components) {
  if (folder.empty()) return std::nullopt;
  const std::filesystem::path path(folder);
  LatentTruth truth;
  truth.components = read_matrix((path / components).string());
  const std::filesystem::path corrupted = path / "corrupted.npy";
  if (std::filesystem::exists(corrupted)) truth.corrupted = read_indices(corrupted.string());
  return truth;
}

Matrix read_matrix(const std::string& location) {
  const LoadedTensor loaded = read_array(location, 2, "rows x columns");
  const TensorView& view = loaded.view;
  return Matrix::NullaryExpr(view.shape()[0], view.shape()[1], [&](Index i, Index j) {
    return view({i, j});
  });
}

std::vector<Index> read_indices(const std::string& location) {
  const LoadedTensor loaded = open_tensor(location)->load();
  const TensorView& view = loaded.view;
  if (view.order() < 1 || view.order() > 2) {
    throw InputError(fmt::format("{} must be a list of indices, but has the shape {}", location,
                                 to_string(view.shape())));
  }
  std::vector<Index> list;
  for (Index k = 0; k < view.shape()[0]; ++k) {
    list.push_back(std::llround(view.order() == 1 ? view({k}) : view({k, 0})));
  }
  return list;
}

}  // namespace sunder::cli
