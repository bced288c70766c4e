#include "engine/kernels/tile_kernel.hpp"

#include <algorithm>

namespace sunder::kernels {

template <class Real>
bool can_stream(const TileTask<Real>& task) {
  const bool small = task.probe_rank >= 1 && task.probe_rank <= 2 &&
                     (task.model_rank == 0 || task.model_rank == task.probe_rank);
  const bool simple_rule =
      task.rule.kind == RuleKind::keep_all || task.rule.kind == RuleKind::hard_threshold;
  const bool sums_alone = !task.data_statistics && task.row_slices.kept == nullptr &&
                          task.counts.row_fitted == nullptr && task.found == nullptr &&
                          task.inspector.strip == nullptr;
  const bool direct = task.column_stride == 1 && task.mask == nullptr &&
                      (task.type == scalar_type_of<Real>() || task.type == ScalarType::u8);
  return small && simple_rule && sums_alone && direct;
}
template bool can_stream(const TileTask<double>&);
template bool can_stream(const TileTask<float>&);

void TileSums::add(const TileSums& other) {
  kept += other.kept;
  rejected += other.rejected;
  missing += other.missing;
  kept_square_sum += other.kept_square_sum;
  rejected_square_sum += other.rejected_square_sum;
  weight_sum += other.weight_sum;
  cost_sum += other.cost_sum;
  data_square_sum += other.data_square_sum;
  data_max = std::max(data_max, other.data_max);
}

}  // namespace sunder::kernels
