#pragma once
/// The entries of a tensor as doubles in C order, beside dense arrays of the same size.

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "sunder/core/dense_tensor.hpp"

namespace sunder {

/// The caller's own memory where it is doubles in C order already, otherwise a copy.
class DoubleEntries {
 public:
  explicit DoubleEntries(const TensorView& tensor);

  std::span<const double> entries() const { return entries_; }
  bool copied() const { return copy_.data() != nullptr; }

 private:
  DenseTensor copy_;
  std::span<const double> entries_;
};

/// Calls work(0) .. work(count - 1), by several threads.
void for_each_piece(Index count, int threads, const std::function<void(Index)>& work);

/// The sum of work(begin, end) over pieces of [0, entries), of any type with += that begins as
/// zero. The pieces do not depend on the number of threads, and are added in order.
template <class Sum, class Work>
Sum sum_over_pieces(Index entries, int threads, Work&& work) {
  constexpr Index length = 32768;  // a few arrays of this length fit in a core's cache
  std::vector<Sum> sums((entries + length - 1) / length);
  for_each_piece(std::ssize(sums), threads, [&](Index piece) {
    const Index end = std::min(entries, (piece + 1) * length);
    sums[piece] = work(static_cast<std::size_t>(piece * length), static_cast<std::size_t>(end));
  });
  Sum total{};
  for (const Sum& sum : sums) total += sum;
  return total;
}

/// The proximal step of threshold |x|.
inline double soft_threshold(double x, double threshold) {
  return x - std::clamp(x, -threshold, threshold);
}

}  // namespace sunder
