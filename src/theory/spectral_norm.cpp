/// Higher-order power iteration (De Lathauwer et al. 2000): with all vectors but one fixed, the
/// best u of M(u, v, w) is M(I, v, w) scaled to unit length, and M(u, v, w) is then its former
/// length. |M(u, v, w)| never falls, so each start ends at a lower bound of the norm.
///
/// M = L + S,  L = sum_i sigma_i a_i o b_i o c_i,  S by its entries:
///   M(I, v, w) = sum_i sigma_i <b_i, v> <c_i, w> a_i  +  sum_ijk S_ijk v_j w_k e_i

#include "sunder/theory/spectral_norm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sunder/core/error.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

namespace {

using Vectors = std::vector<Vector>;  // one for each mode

class PowerIteration {
 public:
  PowerIteration(const CpModel& low_rank, const SparseTensor& sparse,
                 const SpectralNormOptions& options);

  /// Runs a few sweeps and keeps the best start so far.
  void try_start(Vectors vectors);
  /// Continues the best start until it converges.
  double finish();
  Vectors heaviest_entry() const;
  Vectors slice_norms() const;

 private:
  /// Computes M(u, ..., I, ..., w), with I in the place of `mode`.
  Vector contract(const Vectors& vectors, int mode) const;
  double climb(Vectors& vectors, int sweeps) const;

  const CpModel& low_rank_;
  const SparseTensor& sparse_;
  const SpectralNormOptions& options_;
  std::vector<std::vector<Index>> coordinates_;  ///< by mode and entry of S
  double best_ = 0;
  Vectors best_vectors_;
};

PowerIteration::PowerIteration(const CpModel& low_rank, const SparseTensor& sparse,
                               const SpectralNormOptions& options)
    : low_rank_(low_rank),
      sparse_(sparse),
      options_(options),
      coordinates_(static_cast<std::size_t>(sparse.shape().order())) {
  for (Index k = 0; k < sparse.count(); ++k) {
    const ModeIndices index = sparse.coordinates(k);
    for (std::size_t mode = 0; mode < coordinates_.size(); ++mode) {
      coordinates_[mode].push_back(index[mode]);
    }
  }
}

Vector PowerIteration::contract(const Vectors& vectors, int mode) const {
  Vector scale = low_rank_.weights();
  for (int other = 0; other < low_rank_.order(); ++other) {
    if (other == mode) continue;
    scale.array() *= (low_rank_.factor(other).transpose() * vectors[other]).array();
  }
  Vector sum = low_rank_.factor(mode) * scale;
  const auto here = static_cast<std::size_t>(mode);
  for (std::size_t k = 0; k < sparse_.values().size(); ++k) {
    double product = sparse_.values()[k];
    for (std::size_t other = 0; other < coordinates_.size(); ++other) {
      if (other != here) product *= vectors[other][coordinates_[other][k]];
    }
    sum[coordinates_[here][k]] += product;
  }
  return sum;
}

/// Improves the unit vectors and returns the value they reach; 0 if they are in the kernel.
double PowerIteration::climb(Vectors& vectors, int sweeps) const {
  double value = 0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    report_or_throw(options_.progress, "estimating a norm");
    const double before = value;
    for (int mode = 0; mode < sparse_.shape().order(); ++mode) {
      const Vector image = contract(vectors, mode);
      value = image.norm();
      if (!(value > 0)) return 0;
      vectors[mode] = image / value;
    }
    if (value - before <= options_.tolerance * value) break;
  }
  return value;
}

void PowerIteration::try_start(Vectors vectors) {
  for (Vector& vector : vectors) vector.normalize();
  const double value = climb(vectors, options_.first_sweeps);
  if (value <= best_) return;
  best_ = value;
  best_vectors_ = std::move(vectors);
}

double PowerIteration::finish() {
  if (best_ > 0) best_ = std::max(best_, climb(best_vectors_, options_.max_sweeps));
  return best_;
}

Vectors PowerIteration::heaviest_entry() const {
  const auto values = sparse_.values();
  const auto heaviest = std::max_element(
      values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  const ModeIndices index = sparse_.coordinates(heaviest - values.begin());
  Vectors vectors;
  for (int mode = 0; mode < sparse_.shape().order(); ++mode) {
    vectors.emplace_back(Vector::Unit(sparse_.shape()[mode], index[mode]));
  }
  return vectors;
}

Vectors PowerIteration::slice_norms() const {
  Vectors vectors;
  for (int mode = 0; mode < sparse_.shape().order(); ++mode) {
    Vector energy = Vector::Zero(sparse_.shape()[mode]);
    for (std::size_t k = 0; k < sparse_.values().size(); ++k) {
      energy[coordinates_[mode][k]] += std::pow(sparse_.values()[k], 2);
    }
    vectors.emplace_back(energy.cwiseSqrt());
  }
  return vectors;
}

/// Returns vectors that are 1 on the indices of the block, in every mode.
Vectors indicator(const Shape& shape, const SupportBlock& block) {
  Vectors vectors;
  for (int mode = 0; mode < shape.order(); ++mode) {
    Vector marks = Vector::Zero(shape[mode]);
    for (const Index i : block.indices[mode]) marks[i] = 1;
    vectors.push_back(std::move(marks));
  }
  return vectors;
}

Vectors random_vectors(const Shape& shape, std::uint64_t seed, int start) {
  Rng rng(seed, static_cast<std::uint64_t>(start));
  Vectors vectors;
  for (const Index extent : shape) {
    vectors.emplace_back(Vector::NullaryExpr(extent, [&] { return rng.normal(); }));
  }
  return vectors;
}

}  // namespace

double estimate_spectral_norm(const CpModel& low_rank, const SparseTensor& sparse,
                              const BlockStructure& blocks, const SpectralNormOptions& options) {
  if (!(low_rank.shape() == sparse.shape())) {
    throw InputError(fmt::format("the two parts of a tensor differ in shape: L is {}, S is {}",
                                 to_string(low_rank.shape()), to_string(sparse.shape())));
  }
  PowerIteration power(low_rank, sparse, options);
  for (Index i = 0; i < low_rank.rank(); ++i) {
    Vectors component;
    for (const Matrix& factor : low_rank.factors()) component.emplace_back(factor.col(i));
    power.try_start(std::move(component));
  }
  if (sparse.count() > 0) {
    power.try_start(power.heaviest_entry());
    power.try_start(power.slice_norms());
  }
  const auto largest =
      std::min(blocks.blocks.size(), static_cast<std::size_t>(options.block_starts));
  for (std::size_t b = 0; b < largest; ++b) {
    power.try_start(indicator(sparse.shape(), blocks.blocks[b]));
  }
  for (int start = 0; start < options.random_starts; ++start) {
    power.try_start(random_vectors(sparse.shape(), options.seed, start));
  }
  return power.finish();
}

double estimate_spectral_norm(const SparseTensor& sparse, const BlockStructure& blocks,
                              const SpectralNormOptions& options) {
  return estimate_spectral_norm(CpModel::zero(sparse.shape()), sparse, blocks, options);
}

double largest_magnitude(const SparseTensor& sparse) {
  double largest = 0;
  for (const double value : sparse.values()) largest = std::max(largest, std::abs(value));
  return largest;
}

double lemma_spectral_bound(const SparseTensor& sparse, const BlockStructure& blocks) {
  return std::pow(static_cast<double>(blocks.largest_extent), sparse.shape().order() / 2.0) *
         largest_magnitude(sparse);
}

// With P_m the matrix of the psi_b in mode m, sum_b prod_m <psi_b, u_m> is at most max_b |<psi_b,
// u>| ||P_2|| ||P_3||. The first factor is at most sqrt(d), and by Gershgorin ||P_m||^2 <= d (1 +
// (B - 1) eta). Further modes add factors sqrt(d).
double certain_spectral_bound(const SparseTensor& sparse, const BlockStructure& blocks) {
  const double others = std::max(0.0, static_cast<double>(blocks.blocks.size()) - 1);
  return (1 + others * blocks.overlap) * lemma_spectral_bound(sparse, blocks);
}

}  // namespace sunder
