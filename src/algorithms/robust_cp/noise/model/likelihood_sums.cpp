#include "algorithms/robust_cp/noise/model/likelihood.hpp"

namespace sunder::robust {

SliceSums::SliceSums(Index extent)
    : score(Vector::Zero(extent)),
      weight(Vector::Zero(extent)),
      inliers(Vector::Zero(extent)),
      squares(Vector::Zero(extent)),
      observed(Vector::Zero(extent)) {}

void SliceSums::add(const SliceSums& other) {
  score += other.score;
  weight += other.weight;
  inliers += other.inliers;
  squares += other.squares;
  observed += other.observed;
}

void SliceSums::add(const SliceSums& some, const std::vector<Index>& rows) {
  score(rows) += some.score;
  weight(rows) += some.weight;
  inliers(rows) += some.inliers;
  squares(rows) += some.squares;
  observed(rows) += some.observed;
}

void SignalSums::add(const SignalSums& other) {
  for (int b = 0; b < bins; ++b) {
    inliers[b] += other.inliers[b];
    squares[b] += other.squares[b];
    first[b] += other.first[b];
    second[b] += other.second[b];
  }
}

void ResidualCounts::add(const ResidualCounts& other) {
  for (std::size_t k = 0; k < counts.size(); ++k) counts[k] += other.counts[k];
}

LikelihoodSums::LikelihoodSums(const Shape& shape, Index rank) {
  for (const Index extent : shape) {
    gradient.push_back(Matrix::Zero(extent, rank));
    slices.emplace_back(extent);
  }
}

void LikelihoodSums::add(const LikelihoodSums& other) {
  nats += other.nats;
  observed += other.observed;
  for (std::size_t m = 0; m < gradient.size(); ++m) {
    gradient[m] += other.gradient[m];
    slices[m].add(other.slices[m]);
  }
  signal.add(other.signal);
  residuals.add(other.residuals);
}

void LikelihoodSums::add(const LikelihoodSums& block, const std::vector<std::vector<Index>>& rows) {
  nats += block.nats;
  observed += block.observed;
  for (std::size_t m = 0; m < gradient.size(); ++m) {
    gradient[m](rows[m], Eigen::all) += block.gradient[m];
    slices[m].add(block.slices[m], rows[m]);
  }
  signal.add(block.signal);
  residuals.add(block.residuals);
}

}  // namespace sunder::robust
