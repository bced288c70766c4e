#include "engine/reduce.hpp"

namespace sunder {

void reduce(const Communicator& communicator, PassResult& result) {
  if (communicator.size() == 1) return;
  for (Matrix& matrix : result.mttkrp) {
    communicator.sum(std::span(matrix.data(), static_cast<std::size_t>(matrix.size())));
  }
  PassStatistics& s = result.statistics;
  Index counts[] = {s.kept, s.rejected, s.missing};
  double sums[] = {s.kept_square_sum, s.rejected_square_sum, s.weight_sum, s.cost_sum,
                   s.data_square_sum};
  communicator.sum(std::span<Index>(counts));
  communicator.sum(std::span<double>(sums));
  communicator.max(std::span(&s.data_max, 1));
  s.kept = counts[0];
  s.rejected = counts[1];
  s.missing = counts[2];
  s.kept_square_sum = sums[0];
  s.rejected_square_sum = sums[1];
  s.weight_sum = sums[2];
  s.cost_sum = sums[3];
  s.data_square_sum = sums[4];
  communicator.sum(s.magnitudes.counts());
  for (SliceStatistics& slice : result.slices) {
    communicator.sum(std::span<Index>(slice.observed));
    communicator.sum(std::span<Index>(slice.fitted));
    communicator.sum(std::span<Index>(slice.kept));
    communicator.sum(std::span<double>(slice.kept_square_sum));
  }
}

}  // namespace sunder
