#pragma once
/// The entries of a tensor as doubles in C order, beside dense arrays of the same size.

#include <omp.h>

#include <algorithm>
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

/// The sum of work(begin, end) over pieces of [0, entries), of any type with += that begins as
/// zero. The pieces do not depend on the number of threads, and are added in order.
template <class Sum, class Work>
Sum sum_over_pieces(Index entries, int threads, Work&& work) {
  constexpr Index piece = 32768;  // a few arrays of this length fit in a core's cache
  const Index pieces = (entries + piece - 1) / piece;
  std::vector<Sum> sums(static_cast<std::size_t>(pieces));
  const int team = threads > 0 ? threads : omp_get_num_procs();
#pragma omp parallel for schedule(static) num_threads(team) if (pieces > 1)
  for (Index k = 0; k < pieces; ++k) {
    sums[static_cast<std::size_t>(k)] =
        work(static_cast<std::size_t>(k * piece),
             static_cast<std::size_t>(std::min(entries, (k + 1) * piece)));
  }
  Sum total{};
  for (const Sum& sum : sums) total += sum;
  return total;
}

/// The proximal step of threshold |x|.
inline double soft_threshold(double x, double threshold) {
  return x - std::clamp(x, -threshold, threshold);
}

}  // namespace sunder
