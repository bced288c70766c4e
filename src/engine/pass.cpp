#include "engine/pass.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "engine/kernels/reference/tile_kernel.hpp"
#include "engine/tiling.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

ModeSet only_mode(int mode) { return ModeSet{}.set(static_cast<std::size_t>(mode)); }

namespace {

using reference::Factors;
using reference::TileMatrix;

constexpr Index nowhere = std::numeric_limits<Index>::max();

/// What one chunk adds up. Chunks are summed in order afterwards, so that neither the number of
/// threads nor their timing can change a bit.
struct Partial {
  std::vector<Matrix> mttkrp;  ///< canonical modes; the slowest covers only the chunk's own rows
  Index first_slow_row = 0;
  PassStatistics statistics;
  std::vector<Index> positions;
  std::vector<double> values;
  Index infinite_at = nowhere;
};

Factors in_canonical_order(const Tiling& tiling, const Vector& weights,
                           const std::vector<Matrix>& factors) {
  Factors canonical{weights, {}};
  for (int mode = 0; mode < tiling.order(); ++mode) {
    canonical.matrix.push_back(factors[static_cast<std::size_t>(tiling.original_mode(mode))]);
  }
  return canonical;
}

/// What a pass does with single entries: looks at T, then turns the residual into its kept part.
class TileRule {
 public:
  TileRule(const Tiling& tiling, const PassRequest& request, Partial& partial)
      : tiling_(tiling), request_(request), partial_(partial) {}

  void observe(const Tile& tile, const TileMatrix& data) {
    for (Index i = 0; i < tile.rows; ++i) {
      for (Index j = 0; j < tile.columns; ++j) {
        const double x = data(i, j);
        if (std::isnan(x)) continue;
        if (std::isinf(x)) {
          partial_.infinite_at = std::min(partial_.infinite_at, position(tile, i, j));
        }
        partial_.statistics.data_square_sum += x * x;
        partial_.statistics.data_max = std::max(partial_.statistics.data_max, std::abs(x));
      }
    }
  }

  void keep(const Tile& tile, TileMatrix& residual) {
    PassStatistics& sums = partial_.statistics;
    for (Index i = 0; i < tile.rows; ++i) {
      for (Index j = 0; j < tile.columns; ++j) {
        double& r = residual(i, j);
        if (std::isnan(r)) {
          ++sums.missing;
          r = 0;
          continue;
        }
        sums.magnitudes.add(std::abs(r));
        if (request_.rule.keeps(r)) {
          ++sums.kept;
          sums.kept_square_sum += r * r;
        } else {
          ++sums.rejected;
          sums.rejected_square_sum += r * r;
          if (request_.collect_sparse) {
            partial_.positions.push_back(position(tile, i, j));
            partial_.values.push_back(r);
          }
          r = 0;
        }
      }
    }
  }

 private:
  Index position(const Tile& tile, Index i, Index j) const {
    return tiling_.position(tile) + i * tiling_.row_step() + j * tiling_.column_step();
  }

  const Tiling& tiling_;
  const PassRequest& request_;
  Partial& partial_;
};

class Pass {
 public:
  Pass(const TensorView& tensor, const PassRequest& request)
      : tiling_(tensor),
        shape_(tensor.shape()),
        request_(request),
        model_(in_canonical_order(tiling_, request.model->weights(), request.model->factors())),
        probe_(make_probe()) {
    for (int mode = 0; mode < tiling_.order(); ++mode) {
      modes_[static_cast<std::size_t>(mode)] =
          request.modes[static_cast<std::size_t>(tiling_.original_mode(mode))];
    }
    partials_.resize(static_cast<std::size_t>(tiling_.chunks()));
  }

  int chunks() const { return tiling_.chunks(); }

  void run_chunk(int chunk) {
    Partial& partial = partials_[static_cast<std::size_t>(chunk)];
    const Index begin = tiling_.first_tile(chunk);
    const Index end = tiling_.first_tile(chunk + 1);
    prepare(partial, tiling_.tile(begin), tiling_.tile(end - 1));
    TileRule rule(tiling_, request_, partial);
    std::vector<double> buffer(static_cast<std::size_t>(tiling_.largest_tile()));
    for (Index number = begin; number < end; ++number) {
      const Tile tile = tiling_.tile(number);
      TileMatrix values(buffer.data(), tile.rows, tile.columns);
      tiling_.read(tile, buffer.data());
      rule.observe(tile, values);
      reference::subtract_model(model_, tile, values);
      rule.keep(tile, values);
      if (modes_.any()) {
        reference::accumulate_mttkrp(probe_, tile, values, modes_, partial.mttkrp,
                                     partial.first_slow_row);
      }
    }
  }

  PassResult combine() {
    PassResult result;
    result.mttkrp.resize(static_cast<std::size_t>(tiling_.order()));
    for (int mode = 0; mode < tiling_.order(); ++mode) {
      if (modes_[static_cast<std::size_t>(mode)]) {
        result.mttkrp[static_cast<std::size_t>(tiling_.original_mode(mode))] =
            Matrix::Zero(tiling_.tensor().shape()[mode], probe_.weights.size());
      }
    }
    std::vector<Index> positions;
    std::vector<double> values;
    for (Partial& partial : partials_) {
      refuse_infinite(partial);
      add(partial, result);
      positions.insert(positions.end(), partial.positions.begin(), partial.positions.end());
      values.insert(values.end(), partial.values.begin(), partial.values.end());
      partial = Partial{};
    }
    if (request_.collect_sparse) {
      result.sparse = SparseTensor(shape_, std::move(positions), std::move(values));
    }
    return result;
  }

 private:
  Factors make_probe() const {
    if (request_.probe == nullptr) {
      // MTTKRP is defined on the factors alone; the weights belong to the model, not to the probe.
      return {Vector::Ones(model_.weights.size()), model_.matrix};
    }
    return in_canonical_order(tiling_, Vector::Ones(request_.probe->front().cols()),
                              *request_.probe);
  }

  /// The canonical slowest mode is the row mode of a matrix, and an outer one otherwise.
  Index slow_row(const Tile& tile) const {
    return tiling_.order() == 2 ? tile.row_begin : tile.outer[0];
  }

  void prepare(Partial& partial, const Tile& first, const Tile& last) const {
    partial.first_slow_row = slow_row(first);
    const Index slow_rows =
        slow_row(last) + (tiling_.order() == 2 ? last.rows : 1) - partial.first_slow_row;
    partial.mttkrp.resize(static_cast<std::size_t>(tiling_.order()));
    for (int mode = 0; mode < tiling_.order(); ++mode) {
      if (!modes_[static_cast<std::size_t>(mode)]) continue;
      const Index rows = mode == 0 ? slow_rows : tiling_.tensor().shape()[mode];
      partial.mttkrp[static_cast<std::size_t>(mode)] = Matrix::Zero(rows, probe_.weights.size());
    }
  }

  void add(const Partial& partial, PassResult& result) const {
    for (int mode = 0; mode < tiling_.order(); ++mode) {
      const auto at = static_cast<std::size_t>(mode);
      if (!modes_[at]) continue;
      const Matrix& share = partial.mttkrp[at];
      result.mttkrp[static_cast<std::size_t>(tiling_.original_mode(mode))].middleRows(
          mode == 0 ? partial.first_slow_row : 0, share.rows()) += share;
    }
    PassStatistics& total = result.statistics;
    const PassStatistics& part = partial.statistics;
    total.kept += part.kept;
    total.rejected += part.rejected;
    total.missing += part.missing;
    total.kept_square_sum += part.kept_square_sum;
    total.rejected_square_sum += part.rejected_square_sum;
    total.data_square_sum += part.data_square_sum;
    total.magnitudes.add(part.magnitudes);
    total.data_max = std::max(total.data_max, part.data_max);
  }

  void refuse_infinite(const Partial& partial) const {
    if (partial.infinite_at == nowhere) return;
    const ModeIndices index = shape_.unravel(partial.infinite_at);
    throw InputError(fmt::format(
        "the entry at index ({}) is infinite: entries must be finite, or NaN where they "
        "are missing; replace it by NaN or by a number",
        fmt::join(index.begin(), index.begin() + shape_.order(), ", ")));
  }

  Tiling tiling_;
  Shape shape_;
  const PassRequest& request_;
  Factors model_;
  Factors probe_;
  ModeSet modes_;  ///< in canonical numbering
  std::vector<Partial> partials_;
};

}  // namespace

PassResult pass(const TensorView& tensor, const PassRequest& request, int threads,
                const std::function<Continue()>& still_wanted) {
  Pass work(tensor, request);
  std::atomic<bool> cancelled{false};
  // Waking a thread costs more than a few thousand entries do.
  constexpr Index least_per_thread = 50'000;
  const Index useful = std::max<Index>(1, tensor.entries() / least_per_thread);
  const auto team =
      static_cast<int>(std::min<Index>(threads > 0 ? threads : omp_get_num_procs(), useful));
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
  for (int chunk = 0; chunk < work.chunks(); ++chunk) {
    if (cancelled.load(std::memory_order_relaxed)) continue;
    work.run_chunk(chunk);
    // Thread 0 is the caller's own: callbacks never come from anywhere else.
    if (still_wanted && omp_get_thread_num() == 0 && still_wanted() == Continue::cancel) {
      cancelled.store(true, std::memory_order_relaxed);
    }
  }
  if (cancelled.load()) throw Cancelled();
  return work.combine();
}

}  // namespace sunder
