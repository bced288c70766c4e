#include "algorithms/robust_cp/certificate/conditions/slices.hpp"

#include <algorithm>

#include "algorithms/robust_cp/levels/certificate.hpp"
#include "core/statistics.hpp"

namespace sunder::robust {

namespace {

void examine_slices_of_mode(const SliceStatistics& slices, Index needed, SliceEvidence& evidence) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < slices.observed.size(); ++i) {
    shares.push_back(static_cast<double>(slices.fitted[i]) /
                     static_cast<double>(std::max<Index>(slices.observed[i], 1)));
  }
  const double least =
      std::max(levels::slices::least_share, levels::share_of_usual * median(shares));
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (slices.observed[i] < needed) {
      ++evidence.unknown;
      continue;
    }
    if (shares[i] < least || slices.fitted[i] < needed) ++evidence.bad;
    evidence.weakest_share = std::min(evidence.weakest_share, shares[i]);
  }
}

}  // namespace

SliceEvidence examine_slices(const TensorFit& fit) {
  SliceEvidence evidence;
  for (std::size_t m = 0; m < fit.slices.size(); ++m) {
    examine_slices_of_mode(fit.slices[m], fit.needed[m], evidence);
  }
  return evidence;
}

}  // namespace sunder::robust
