#include "algorithms/paper/symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/gather/gather.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// The largest entry, and the largest difference from the tensor with two modes exchanged.
struct Asymmetry {
  double largest = 0;
  double difference = 0;
  std::array<Index, 3> where{};

  /// Compares the slices `first` and on along the first mode.
  void compare(const TensorView& slices, const TensorView& turned, Index first) {
    const Shape& shape = slices.shape();
    for (Index i = 0; i < shape[0]; ++i) {
      for (Index j = 0; j < shape[1]; ++j) {
        for (Index k = 0; k < shape[2]; ++k) {
          const double x = slices({i, j, k});
          const double size = std::abs(x);
          const double apart = std::abs(x - turned({i, j, k}));
          if (size > largest) largest = size;
          if (apart > difference) {
            difference = apart;
            where = {first + i, j, k};
          }
        }
      }
    }
  }
};

// Two exchanges of neighbouring modes generate all the permutations.
constexpr std::array first_two_exchanged{1, 0, 2};
constexpr std::array last_two_exchanged{0, 2, 1};

using Exchanges = std::array<Asymmetry, 2>;

Exchanges in_memory(const TensorView& tensor) {
  Exchanges found;
  found[0].compare(tensor, tensor.permuted(first_two_exchanged), 0);
  found[1].compare(tensor, tensor.permuted(last_two_exchanged), 0);
  return found;
}

/// The same for a tensor that is not in memory.
Exchanges in_parts(Source& tensor, const Communicator& communicator) {
  constexpr Index entries_at_a_time = Index{1} << 20;
  const Index n = tensor.shape()[0];
  const Index count = std::clamp<Index>(entries_at_a_time / (n * n), 1, n);
  Exchanges found;
  for (Index first = 0; first < n; first += count) {
    std::vector<Index> some(std::min(count, n - first));
    std::iota(some.begin(), some.end(), first);
    const DenseTensor rows = gather(tensor, communicator, {some, {}, {}}, ScalarType::f64);
    const DenseTensor columns = gather(tensor, communicator, {{}, some, {}}, ScalarType::f64);
    found[0].compare(rows.view(), columns.view().permuted(first_two_exchanged), first);
    found[1].compare(rows.view(), rows.view().permuted(last_two_exchanged), first);
  }
  return found;
}

}  // namespace

void require_symmetric(Source& tensor, const Communicator& communicator) {
  const Shape& shape = tensor.shape();
  if (shape[0] != shape[1] || shape[1] != shape[2]) {
    throw InputError(
        fmt::format("rtd is for symmetric tensors, but the shape {} has unequal extents: `embed` "
                    "decomposes an asymmetric tensor through its symmetric embedding",
                    to_string(shape)));
  }
  const Exchanges found =
      tensor.in_memory() ? in_memory(tensor.layout()) : in_parts(tensor, communicator);
  const Asymmetry& worst = found[found[1].difference > found[0].difference ? 1 : 0];
  if (worst.difference > 1e-6 * worst.largest) {
    throw InputError(fmt::format(
        "rtd is for symmetric tensors, but entry ({}, {}, {}) differs from its transposition by "
        "{:.3g}: `embed` decomposes an asymmetric tensor through its symmetric embedding",
        worst.where[0], worst.where[1], worst.where[2], worst.difference));
  }
}

}  // namespace sunder
