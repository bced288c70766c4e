#include "algorithms/robust_cp/certificate/few_outliers.hpp"

#include <cmath>
#include <utility>

#include "algorithms/robust_cp/levels/certificate.hpp"

namespace sunder::robust {

namespace {

constexpr double largest_position = 0x1p53;  // that a double, as processes exchange it, tells apart

/// The numbers of every process, one after the other.
template <class Number>
std::vector<Number> gathered(const std::vector<Number>& own, const Communicator& communicator) {
  std::vector<Number> all;
  for (int root = 0; root < communicator.size(); ++root) {
    auto count = static_cast<double>(own.size());
    communicator.broadcast({&count, 1}, root);
    std::vector<double> sent(static_cast<std::size_t>(count));
    if (communicator.rank() == root) sent.assign(own.begin(), own.end());
    communicator.broadcast(sent, root);
    for (const double x : sent) all.push_back(static_cast<Number>(x));
  }
  return all;
}

}  // namespace

SparseSink FewOutliers::watching(SparseSink onward) {
  positions_.clear();
  values_.clear();
  return [this, onward = std::move(onward)](std::span<const Index> positions,
                                            std::span<const double> values) {
    if (positions_.size() + positions.size() <= levels::outliers::most_kept) {
      positions_.insert(positions_.end(), positions.begin(), positions.end());
      values_.insert(values_.end(), values.begin(), values.end());
    }
    if (onward) onward(positions, values);
  };
}

std::optional<SparseTensor> FewOutliers::all(const Shape& shape, Index count,
                                             const Communicator& communicator) const {
  const bool too_many = count > static_cast<Index>(levels::outliers::most_kept) ||
                        static_cast<double>(shape.entries()) > largest_position;
  if (too_many) return std::nullopt;
  std::vector<Index> positions = gathered(positions_, communicator);
  return SparseTensor(shape, std::move(positions), gathered(values_, communicator));
}

}  // namespace sunder::robust
