#include "algorithms/robust_cp/verification.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <numeric>

#include "algorithms/robust_cp/sampling.hpp"
#include "sunder/core/error.hpp"

namespace sunder::robust {

namespace {

using Counts = std::vector<std::vector<Index>>;  ///< for each mode, each slice

struct Part {
  std::vector<Index> positions;
  std::vector<double> values;
  Counts seen;
  Counts fitted;
  Index missing = 0;
  double kept_square_sum = 0;
  double data_square_sum = 0;
};

Counts zero_counts(const Shape& shape) {
  Counts counts;
  for (const Index extent : shape) counts.emplace_back(static_cast<std::size_t>(extent), Index{0});
  return counts;
}

std::vector<std::vector<char>> alive_rows(const Factors& factors) {
  std::vector<std::vector<char>> alive;
  for (const Matrix& factor : factors) {
    const Eigen::ArrayXd size = factor.rowwise().squaredNorm();
    const double least = 1e-10 * size.mean();
    std::vector<char> rows;
    for (Index i = 0; i < size.size(); ++i) rows.push_back(size[i] > least ? 1 : 0);
    alive.push_back(std::move(rows));
  }
  return alive;
}

class Verifier {
 public:
  Verifier(const TensorView& tensor, const Factors& factors, double level)
      : tensor_(tensor), factors_(factors), level_(level), alive_(alive_rows(factors)) {
    const Index row = tensor.entries() / tensor.shape()[0];
    rows_per_slab_ =
        std::clamp<Index>(Index{1 << 18} / std::max<Index>(row, 1), 1, tensor.shape()[0]);
    parts_.resize(
        static_cast<std::size_t>((tensor.shape()[0] + rows_per_slab_ - 1) / rows_per_slab_));
  }

  int slabs() const { return static_cast<int>(parts_.size()); }

  void run(int slab) {
    const Index begin = slab * rows_per_slab_;
    const Index end = std::min(begin + rows_per_slab_, tensor_.shape()[0]);
    const TensorView view = tensor_.slab(0, begin, end);
    Engine engine(view, 1);
    const DenseCore data = gather_core(engine, IndexSets(static_cast<std::size_t>(view.order())));
    Factors model = factors_;
    model.front() = Matrix(factors_.front().middleRows(begin, end - begin));
    count(data, residual(data, model), begin, parts_[static_cast<std::size_t>(slab)]);
  }

  Verification combine() {
    Verification result;
    Counts seen = zero_counts(tensor_.shape());
    Counts fitted = zero_counts(tensor_.shape());
    std::vector<Index> positions;
    std::vector<double> values;
    for (Part& part : parts_) {
      for (std::size_t m = 0; m < seen.size(); ++m) {
        for (std::size_t i = 0; i < seen[m].size(); ++i) {
          seen[m][i] += part.seen[m][i];
          fitted[m][i] += part.fitted[m][i];
        }
      }
      result.missing += part.missing;
      result.kept_square_sum += part.kept_square_sum;
      result.data_square_sum += part.data_square_sum;
      positions.insert(positions.end(), part.positions.begin(), part.positions.end());
      values.insert(values.end(), part.values.begin(), part.values.end());
      part = Part{};
    }
    result.observed = tensor_.entries() - result.missing;
    result.sparse = SparseTensor(tensor_.shape(), std::move(positions), std::move(values));
    judge(seen, fitted, result);
    return result;
  }

 private:
  void count(const DenseCore& data, const Entries& R, Index first_row, Part& part) const {
    const int order = tensor_.order();
    part.seen = zero_counts(tensor_.shape());
    part.fitted = zero_counts(tensor_.shape());
    const Index offset = first_row * (tensor_.entries() / tensor_.shape()[0]);
    for (Index k = 0; k < R.size(); ++k) {
      if (!data.is_observed(k)) {
        ++part.missing;
        continue;
      }
      const double r = R[k];
      const bool fits = std::abs(r) < level_ || r == 0;
      part.data_square_sum += data.values[k] * data.values[k];
      if (fits) {
        part.kept_square_sum += r * r;
      } else {
        part.positions.push_back(offset + k);
        part.values.push_back(r);
      }
      ModeIndices index = data.shape.unravel(k);
      index[0] += first_row;
      int dead = 0;
      int dead_mode = -1;
      for (int mode = 0; mode < order; ++mode) {
        const auto m = static_cast<std::size_t>(mode);
        if (alive_[m][static_cast<std::size_t>(index[m])] != 0) continue;
        ++dead;
        dead_mode = mode;
      }
      if (dead > 1) continue;
      for (int mode = 0; mode < order; ++mode) {
        if (dead == 1 && mode != dead_mode) continue;
        const auto m = static_cast<std::size_t>(mode);
        const auto i = static_cast<std::size_t>(index[m]);
        ++part.seen[m][i];
        part.fitted[m][i] += fits ? 1 : 0;
      }
    }
  }

  void judge(const Counts& seen, const Counts& fitted, Verification& result) const {
    const Index rank = factors_.front().cols();
    for (std::size_t m = 0; m < seen.size(); ++m) {
      std::vector<double> shares;
      for (std::size_t i = 0; i < seen[m].size(); ++i) {
        shares.push_back(static_cast<double>(fitted[m][i]) /
                         static_cast<double>(std::max<Index>(seen[m][i], 1)));
      }
      std::vector<double> sorted = shares;
      const double least = std::max(0.08, 0.25 * quantile(sorted, 0.5));
      for (std::size_t i = 0; i < shares.size(); ++i) {
        if (seen[m][i] == 0) continue;
        const bool too_few = fitted[m][i] < 2 * rank && seen[m][i] > 2 * rank;
        if (shares[i] < least || too_few) ++result.bad_slices;
        result.weakest_share = std::min(result.weakest_share, shares[i]);
      }
    }
  }

  const TensorView& tensor_;
  const Factors& factors_;
  double level_;
  std::vector<std::vector<char>> alive_;
  Index rows_per_slab_ = 1;
  std::vector<Part> parts_;
};

}  // namespace

Verification verify(const TensorView& tensor, const Factors& factors, double level, int threads,
                    const ProgressCallback& progress) {
  Verifier verifier(tensor, factors, level);
  std::atomic<bool> cancelled{false};
  std::exception_ptr failure;
  const int team = threads > 0 ? threads : omp_get_num_procs();
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
  for (int slab = 0; slab < verifier.slabs(); ++slab) {
    if (cancelled.load(std::memory_order_relaxed)) continue;
    try {
      verifier.run(slab);
    } catch (...) {
#pragma omp critical
      if (!failure) failure = std::current_exception();
    }
    const bool ours = omp_get_thread_num() == 0;
    if (ours && report(progress, {.stage = "looking for S", .fraction = -1}) == Continue::cancel) {
      cancelled.store(true, std::memory_order_relaxed);
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (cancelled.load()) throw Cancelled();
  return verifier.combine();
}

}  // namespace sunder::robust
