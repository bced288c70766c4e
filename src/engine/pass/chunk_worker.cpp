#include "engine/pass/chunk_worker.hpp"

#include <algorithm>
#include <cmath>

namespace sunder {

namespace {

// Column sums in f32 are moved to f64 after this many rows: 2^10 additions lose at most ten bits of
// the 24, in the worst case of all signs equal.
constexpr Index most_summed_rows = 1024;

}  // namespace

template <class Real>
ChunkWorker<Real>::ChunkWorker(const PassPlan<Real>& plan) : plan_(plan), slices_(plan, task_) {
  const Index rows = plan.tiling.block_rows();
  const Index width = padded<Real>(plan.tiling.block_columns());
  const Index rank = plan.probe.rank();
  model_rows_ = AlignedBuffer<Real>(rows * plan.model.rank());
  probe_rows_ = AlignedBuffer<Real>(rows * rank);
  strips_ = AlignedBuffer<Real>(3 * kernels::strip_rows * width);
  lanes_ = AlignedBuffer<Real>(kernels::strip_rows * rank * kernels::vector_lanes<Real>());
  column_sums_ = AlignedBuffer<Real>(width * rank);
  contracted_ = AlignedBuffer<double>(rows * rank);
  const PassRequest& request = plan.request;
  if (wants_sparse(request)) {
    const Index room = width + kernels::vector_lanes<Real>();
    found_columns_ = AlignedBuffer<kernels::Lane<Real>>(room);
    found_values_ = AlignedBuffer<Real>(room);
    task_.found_columns = found_columns_.data();
    task_.found_values = found_values_.data();
    found_.row_step = plan.tiling.row_step();
    found_.column_step = plan.tiling.column_step();
    task_.found = &found_;
  }
  task_.inspector = {request.histogram ? &inspect : nullptr, &make_room, this};

  const TensorView& tensor = plan.tiling.tensor();
  const int order = plan.order();
  task_.type = tensor.type();
  task_.entry_bytes = size_of(tensor.type());
  task_.row_stride = tensor.stride(order - 2);
  task_.column_stride = tensor.stride(order - 1);
  if (request.mask != nullptr) {
    task_.mask_row_stride = plan.mask.stride(order - 2);
    task_.mask_column_stride = plan.mask.stride(order - 1);
  }
  task_.model_rank = plan.model.rank();
  task_.model_rows = model_rows_.data();
  task_.probe_rank = rank;
  task_.probe_rows = probe_rows_.data();
  task_.rule = request.rule;
  task_.fit_tolerance = request.fit_tolerance;
  ModeSet slower = plan.modes;
  slower.reset(static_cast<std::size_t>(order - 1));
  task_.contract_columns = slower.any();
  task_.contract_rows = plan.modes[order - 1];
  task_.data_statistics = request.data_statistics;
  task_.sums_wanted = request.sums;
  task_.widened = strips_.data();
  task_.residual = strips_.data() + kernels::strip_rows * width;
  task_.kept = strips_.data() + 2 * kernels::strip_rows * width;
  task_.lanes = lanes_.data();
  task_.contracted = contracted_.data();
  task_.column_sums = column_sums_.data();
}

template <class Real>
Partial empty_partial(const PassPlan<Real>& plan, const Tile& first, const Tile& last) {
  Partial partial;
  partial.first_slow_row = plan.slow_row(first);
  const Index slow_rows =
      plan.slow_row(last) + (plan.order() == 2 ? last.rows : 1) - partial.first_slow_row;
  const auto extent = [&](int mode) {
    return mode == 0 ? slow_rows : plan.tiling.tensor().shape()[mode];
  };
  partial.mttkrp.resize(plan.order());
  for (int mode = 0; mode < plan.order(); ++mode) {
    if (plan.modes[mode]) {
      partial.mttkrp[mode] = RowMatrix::Zero(extent(mode), plan.probe.rank());
    }
    if (plan.request.slice_statistics != SliceDetail::none) {
      partial.slices.emplace_back(extent(mode), plan.request.slice_statistics);
    }
  }
  if (plan.request.histogram) partial.magnitudes = std::make_unique<LogHistogram>();
  return partial;
}

void Partial::add(const Partial& next) {
  const Index shift = next.first_slow_row - first_slow_row;
  for (std::size_t mode = 0; mode < mttkrp.size(); ++mode) {
    const Index first = mode == 0 ? shift : 0;
    const RowMatrix& share = next.mttkrp[mode];
    if (share.size() > 0) mttkrp[mode].middleRows(first, share.rows()) += share;
    if (!slices.empty()) slices[mode].add(next.slices[mode], first);
  }
  sums.add(next.sums);
  if (magnitudes) magnitudes->add(*next.magnitudes);
  infinite_at = std::min(infinite_at, next.infinite_at);
}

template <class Real>
Partial ChunkWorker<Real>::run(int chunk, const Window& window, FoundList room) {
  window_ = window;
  const Index begin = plan_.tiling.first_tile(chunk);
  const Index end = plan_.tiling.first_tile(chunk + 1);
  partial_ = empty_partial(plan_, plan_.tiling.tile(begin), plan_.tiling.tile(end - 1));
  partial_.found = std::move(room);
  partial_.found.set_count(0);
  for (Index number = begin; number < end; ++number) run_tile(plan_.tiling.tile(number));
  flush_columns();
  return std::move(partial_);
}

template <class Real>
void ChunkWorker<Real>::run_tile(const Tile& tile) {
  if (tile.column_begin != summed_column_ || summed_rows_ >= most_summed_rows) flush_columns();
  summed_column_ = tile.column_begin;
  summed_columns_ = tile.columns;
  summed_rows_ += tile.rows;
  describe(tile);
  scale_rows(tile, plan_.model, model_rows_);
  if (plan_.modes.any()) scale_rows(tile, plan_.probe, probe_rows_);
  kernels::TileSums sums;
  task_.sums = &sums;
  plan_.stream ? kernels::stream_tile(task_) : kernels::run_tile(task_);
  // An infinite entry has an infinite square, but in f32 so may a large finite one.
  if (!std::isfinite(sums.kept_square_sum + sums.rejected_square_sum)) find_infinite_entry(tile);
  partial_.sums.add(sums);
  if (task_.contract_columns) add_contracted(tile);
  slices_.add(tile, partial_.first_slow_row, partial_.slices);
  partial_.found.set_count(found_.count);
}

template <class Real>
void ChunkWorker<Real>::describe(const Tile& tile) {
  const TensorView& tensor = plan_.tiling.tensor();
  with_scalar_type(tensor.type(), [&]<class T>() {
    task_.data =
        static_cast<const T*>(window_.data) + (Tiling::offset(tensor, tile) - window_.first);
  });
  if (plan_.request.mask != nullptr) {
    task_.mask = plan_.mask.template typed<std::uint8_t>() + Tiling::offset(plan_.mask, tile);
  }
  task_.rows = tile.rows;
  task_.columns = tile.columns;
  task_.width = padded<Real>(tile.columns);
  task_.model_panels = plan_.model_panels.at(tile.column_begin);
  if (plan_.modes.any()) task_.probe_panels = plan_.probe_panels(tile.column_begin);
  slices_.begin(tile);
  found_.first_position = plan_.tiling.position(tile);
  point_to_found();
}

/// Multiplies the rows' factors by the contribution of the slower modes.
template <class Real>
void ChunkWorker<Real>::scale_rows(const Tile& tile, const CanonicalFactors& factors,
                                   AlignedBuffer<Real>& out) const {
  const Eigen::ArrayXd outer = factors.outer_product(tile);
  const Index rank = factors.rank();
  const double* row = factors.matrix[plan_.order() - 2].data() + tile.row_begin * rank;
  Real* to = out.data();
  for (Index i = 0; i < tile.rows; ++i) {
    for (Index k = 0; k < rank; ++k) *to++ = static_cast<Real>(*row++ * outer[k]);
  }
}

/// contracted = K Q gives the MTTKRP of the row mode and, with the rows' factors, of every slower
/// mode.
template <class Real>
void ChunkWorker<Real>::add_contracted(const Tile& tile) {
  const Index rank = plan_.probe.rank();
  const auto row_mode = static_cast<std::size_t>(plan_.order() - 2);
  const auto start = [&](std::size_t mode, Index at) {
    return mode == 0 ? at - partial_.first_slow_row : at;
  };
  // Plain loops: at small ranks, an Eigen expression for each row costs more than the row itself.
  const double* contracted = contracted_.data();
  if (plan_.modes[row_mode]) {
    const Eigen::ArrayXd outer = plan_.probe.outer_product(tile);
    const double* factor = outer.data();
    double* sum = partial_.mttkrp[row_mode].data() + start(row_mode, tile.row_begin) * rank;
    for (Index i = 0; i < tile.rows; ++i) {
      for (Index k = 0; k < rank; ++k) sum[i * rank + k] += contracted[i * rank + k] * factor[k];
    }
  }
  ModeSet slower = plan_.modes;
  slower.reset(row_mode);
  slower.reset(row_mode + 1);
  if (slower.none()) return;
  Eigen::ArrayXd over_rows = Eigen::ArrayXd::Zero(rank);
  double* sum = over_rows.data();
  const double* row = plan_.probe.matrix[row_mode].data() + tile.row_begin * rank;
  for (Index i = 0; i < tile.rows; ++i) {
    for (Index k = 0; k < rank; ++k) sum[k] += contracted[i * rank + k] * row[i * rank + k];
  }
  for (std::size_t mode = 0; mode < row_mode; ++mode) {
    if (!slower[mode]) continue;
    partial_.mttkrp[mode].row(start(mode, tile.outer[mode])).transpose().array() +=
        over_rows * plan_.probe.outer_product(tile, static_cast<int>(mode));
  }
}

template <class Real>
void ChunkWorker<Real>::flush_columns() {
  const auto column_mode = static_cast<std::size_t>(plan_.order() - 1);
  if (summed_columns_ > 0 && task_.contract_rows) {
    RowMatrix& total = partial_.mttkrp[column_mode];
    const Real* sums = column_sums_.data();
    for_each_panel_row<Real>(summed_columns_, plan_.probe.rank(), plan_.stream,
                             [&](Index position, Index column, Index k, Index count) {
                               for (Index j = 0; j < count; ++j) {
                                 total(summed_column_ + column + j, k) +=
                                     static_cast<double>(sums[position + j]);
                               }
                             });
  }
  if (summed_columns_ > 0) {
    slices_.flush(summed_column_, summed_columns_, partial_.slices);
    column_sums_.fill_zero();
  }
  summed_columns_ = 0;
  summed_rows_ = 0;
}

template <class Real>
void ChunkWorker<Real>::find_infinite_entry(const Tile& tile) {
  std::vector<double> values(tile.rows * tile.columns);
  plan_.tiling.read(tile, window_, values.data());
  for (Index i = 0; i < tile.rows; ++i) {
    for (Index j = 0; j < tile.columns; ++j) {
      if (task_.mask != nullptr &&
          task_.mask[i * task_.mask_row_stride + j * task_.mask_column_stride] == 0) {
        continue;
      }
      const double value = values[i * tile.columns + j];
      if (!std::isinf(static_cast<Real>(value))) continue;
      partial_.infinite_at =
          std::min(partial_.infinite_at, plan_.tiling.position(tile) + i * plan_.tiling.row_step() +
                                             j * plan_.tiling.column_step());
    }
  }
}

template <class Real>
void ChunkWorker<Real>::inspect(void* self, Index rows, Index columns, const Real* residual,
                                Index width) {
  LogHistogram& histogram = *static_cast<ChunkWorker*>(self)->partial_.magnitudes;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const auto magnitude = static_cast<double>(std::abs(residual[i * width + j]));
      if (!std::isnan(magnitude)) histogram.add(magnitude);
    }
  }
}

template <class Real>
void ChunkWorker<Real>::make_room(void* self, Index entries) {
  auto& worker = *static_cast<ChunkWorker*>(self);
  worker.partial_.found.set_count(worker.found_.count);
  worker.partial_.found.make_room(entries + kernels::vector_lanes<Real>());
  worker.point_to_found();
}

template <class Real>
void ChunkWorker<Real>::point_to_found() {
  found_.position = partial_.found.position_data();
  found_.value = partial_.found.value_data();
  found_.count = partial_.found.count();
}

template Partial empty_partial(const PassPlan<double>&, const Tile&, const Tile&);
template Partial empty_partial(const PassPlan<float>&, const Tile&, const Tile&);
template class ChunkWorker<double>;
template class ChunkWorker<float>;

}  // namespace sunder
