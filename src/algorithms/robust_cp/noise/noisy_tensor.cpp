#include "algorithms/robust_cp/noise/noisy_tensor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "algorithms/run/sparse_part.hpp"
#include "algorithms/run/validation.hpp"

namespace sunder::robust {

namespace {

constexpr Index entries_to_keep = Index{1} << 21;  ///< 16 MB: a tensor of so many is gathered once
/// 1 MB. While it is read it takes a few times that, which should stay in the cache.
constexpr Index entries_of_block = Index{1} << 17;

std::vector<Index> range(Index begin, Index end) {
  std::vector<Index> indices(end - begin);
  std::iota(indices.begin(), indices.end(), begin);
  return indices;
}

Factors rows_at(const Factors& factors, const IndexSets& sets) {
  Factors part;
  for (std::size_t m = 0; m < factors.size(); ++m) {
    part.emplace_back(factors[m](sets[m], Eigen::all));
  }
  return part;
}

void add_slices(const LikelihoodSums& block, const IndexSets& sets, const Shape& shape,
                std::vector<SliceSums>& all) {
  if (all.empty()) {
    for (const Index extent : shape) all.emplace_back(extent);
  }
  for (std::size_t m = 0; m < sets.size(); ++m) all[m].add(block.slices[m], sets[m]);
}

/// Collects S in C order, and counts.
class SparseList {
 public:
  SparseList(Engine& engine, const RunOptions& run, double scale)
      : engine_(engine), run_(run), scale_(scale), sink_(sparse_sink(engine, run)) {}

  void add(Index position, double residual, double q, bool is_mine) {
    ++statistics.rejected;
    statistics.rejected_square_sum += residual * residual * scale_ * scale_;
    if (!is_mine || (!lists_sparse(run_) && !sink_)) return;
    positions_.push_back(position);
    values_.push_back(residual * scale_);
    q_.push_back(q);
  }
  void end_block() {
    if (!sink_ || positions_.empty()) return;
    sink_(positions_, values_);
    run_.sparse_receiver->add_q(q_);
    positions_.clear();
    values_.clear();
    q_.clear();
  }
  SparseTensor list() {
    return SparseTensor(engine_.shape(), std::move(positions_), std::move(values_));
  }

  std::vector<double> list_q() { return std::move(q_); }

  PassStatistics statistics;

 private:
  Engine& engine_;
  const RunOptions& run_;
  double scale_;
  SparseSink sink_;
  std::vector<Index> positions_;
  std::vector<double> values_;
  std::vector<double> q_;
};

}  // namespace

std::vector<IndexSets> blocks_of(const Shape& shape, Index most) {
  int split = 0;  // modes before it have one index in each block
  Index after = shape.entries() / shape[0];
  while (split + 2 < shape.order() && after > most) after /= shape[++split];
  const Index step = std::clamp<Index>(most / after, 1, shape[split]);
  Index outer = 1;
  for (int m = 0; m < split; ++m) outer *= shape[m];
  std::vector<IndexSets> blocks;
  for (Index o = 0; o < outer; ++o) {
    for (Index begin = 0; begin < shape[split]; begin += step) {
      IndexSets sets(shape.order());
      Index rest = o;
      for (int m = split - 1; m >= 0; --m) {
        sets[m] = {rest % shape[m]};
        rest /= shape[m];
      }
      sets[split] = range(begin, std::min(begin + step, shape[split]));
      for (int m = split + 1; m < shape.order(); ++m) sets[m] = range(0, shape[m]);
      blocks.push_back(std::move(sets));
    }
  }
  return blocks;
}

NoisyTensor::NoisyTensor(Engine& engine, double scale, const Atoms& atoms, Monitor& monitor)
    : engine_(engine),
      scale_(scale),
      atoms_(atoms),
      monitor_(monitor),
      blocks_(blocks_of(engine.shape(), entries_of_block)),
      kept_(blocks_.size()) {}

const DenseCore& NoisyTensor::block(std::size_t k) {
  const bool keeps = engine_.shape().entries() <= entries_to_keep;
  DenseCore& block = kept_[keeps ? k : 0];
  if (keeps && block.values.size() > 0) return block;
  block = gather_core(engine_, blocks_[k]);
  block.values /= scale_;
  block.lowest = atoms_.lowest;
  block.highest = atoms_.highest;
  return block;
}

LikelihoodSums NoisyTensor::read(const Factors& factors, const NoiseModel& noise) {
  LikelihoodSums all(engine_.shape(), factors.front().cols());
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const IndexSets& sets = blocks_[k];
    const auto sums_of = [&](const DenseCore& part) {
      return likelihood_sums(part, rows_at(factors, sets), noise.at(sets), monitor_);
    };
    all.add(atoms_.zeros ? sums_of(with_atoms(block(k), atoms_)) : sums_of(block(k)), sets);
  }
  return all;
}

NoisySparse NoisyTensor::find_sparse(const Factors& factors, const NoiseModel& noise,
                                     const SparseRule& rule, const RunOptions& run,
                                     std::vector<SliceSums>* slices, const BlockVisitor& visit) {
  SparseList found(engine_, run, scale_);
  const auto processes = static_cast<std::size_t>(engine_.communicator().size());
  Index position = 0;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const DenseCore& part = block(k);
    const Factors rows = rows_at(factors, blocks_[k]);
    EntryWeights weights;
    const LikelihoodSums sums =
        likelihood_sums(part, rows, noise.at(blocks_[k]), monitor_, &weights);
    if (slices != nullptr) add_slices(sums, blocks_[k], engine_.shape(), *slices);
    const Entries R = residual(part, rows);
    if (visit) visit(part, blocks_[k], R, weights);
    const bool is_mine =
        k * processes / blocks_.size() == static_cast<std::size_t>(engine_.communicator().rank());
    for (Index i = 0; i < R.size(); ++i, ++position) {
      if (!part.is_observed(i)) {
        ++found.statistics.missing;
        continue;
      }
      const double variance = weights.variance[i];
      const double inlier = weights.inlier[i];
      const bool agrees = (part.values[i] <= part.lowest && R[i] > 0) ||
                          (part.values[i] >= part.highest && R[i] < 0);
      if (!agrees && rule.is_error(R[i], variance, inlier)) {
        found.add(position, R[i], rule.q(R[i], variance, inlier), is_mine);
      } else {
        ++found.statistics.kept;
        found.statistics.kept_square_sum += R[i] * R[i] * scale_ * scale_;
      }
    }
    found.end_block();
  }
  require_observed(found.statistics.missing, engine_.shape());
  NoisySparse sparse;
  sparse.fit.level = noise.sigma() * scale_;
  sparse.fit.sparse = found.list();
  sparse.fit.statistics = found.statistics;
  sparse.q = found.list_q();
  return sparse;
}

}  // namespace sunder::robust
