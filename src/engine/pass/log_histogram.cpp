#include "engine/pass/log_histogram.hpp"

#include <numeric>

namespace sunder {

void LogHistogram::add(const LogHistogram& other) {
  for (std::size_t k = 0; k < bins; ++k) counts_[k] += other.counts_[k];
}

Index LogHistogram::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), Index{0});
}

double LogHistogram::lower_edge(std::size_t bin) {
  if (bin == 0) return 0;
  const auto key = static_cast<std::uint64_t>(static_cast<std::int64_t>(bin) + first);
  return std::bit_cast<double>(key << (52 - sub_bits));
}

double LogHistogram::quantile(double q) const {
  const double wanted = q * static_cast<double>(total());
  double below = 0;
  for (std::size_t k = 0; k < bins; ++k) {
    const auto here = static_cast<double>(counts_[k]);
    if (here > 0 && below + here >= wanted) {
      const double low = lower_edge(k);
      const double high = k + 1 < bins ? lower_edge(k + 1) : low;
      return low + (high - low) * (wanted - below) / here;
    }
    below += here;
  }
  return 0;
}

}  // namespace sunder
