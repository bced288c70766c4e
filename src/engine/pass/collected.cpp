#include "engine/pass/collected.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sunder/core/error.hpp"

namespace sunder {

Collected::Collected(const Tiling& tiling, const PassRequest& request)
    : tiling_(tiling), request_(request) {
  ModeIndices extents{};
  for (int mode = 0; mode < tiling.order(); ++mode) {
    extents[tiling.original_mode(mode)] = tiling.tensor().shape()[mode];
  }
  shape_ = Shape(std::span<const Index>(extents.data(), static_cast<std::size_t>(tiling.order())));
  const Index rank =
      request.probe != nullptr ? request.probe->front().cols() : request.model->rank();
  result_.mttkrp.resize(shape_.order());
  for (int mode = 0; mode < shape_.order(); ++mode) {
    const auto at = static_cast<std::size_t>(mode);
    if (request.modes[at]) result_.mttkrp[at] = Matrix::Zero(shape_[mode], rank);
    if (request.slice_statistics != SliceDetail::none) {
      result_.slices.emplace_back(shape_[mode], request.slice_statistics);
    }
  }
}

void Collected::add(const Partial& group) {
  infinite_at_ = std::min(infinite_at_, group.infinite_at);
  for (int mode = 0; mode < tiling_.order(); ++mode) {
    const auto at = static_cast<std::size_t>(mode);
    const auto original = static_cast<std::size_t>(tiling_.original_mode(mode));
    const Index first = mode == 0 ? group.first_slow_row : 0;
    const RowMatrix& share = group.mttkrp[at];
    if (share.size() > 0) result_.mttkrp[original].middleRows(first, share.rows()) += share;
    if (request_.slice_statistics != SliceDetail::none) {
      result_.slices[original].add(group.slices[at], first);
    }
  }
  sums_.add(group.sums);
  if (group.magnitudes) result_.statistics.magnitudes.add(*group.magnitudes);
}

void Collected::add_found(const FoundList& found) {
  const auto positions = found.positions();
  const auto values = found.values();
  if (request_.collect_sparse) {
    positions_.insert(positions_.end(), positions.begin(), positions.end());
    values_.insert(values_.end(), values.begin(), values.end());
  }
  if (request_.sparse_sink && !positions.empty()) request_.sparse_sink(positions, values);
}

PassResult Collected::finish() {
  refuse_infinite();
  PassStatistics& statistics = result_.statistics;
  if (request_.sums) {
    statistics.kept = sums_.kept;
    statistics.rejected = sums_.rejected;
    statistics.missing = sums_.missing;
    statistics.kept_square_sum = sums_.kept_square_sum;
    statistics.rejected_square_sum = sums_.rejected_square_sum;
    statistics.weight_sum = sums_.weight_sum;
    statistics.cost_sum = sums_.cost_sum;
  }
  statistics.data_square_sum = sums_.data_square_sum;
  statistics.data_max = sums_.data_max;
  if (request_.collect_sparse) {
    result_.sparse = SparseTensor(shape_, std::move(positions_), std::move(values_));
  }
  return std::move(result_);
}

void Collected::refuse_infinite() const {
  if (infinite_at_ == nowhere) return;
  const ModeIndices index = shape_.unravel(infinite_at_);
  throw InputError(fmt::format(
      "the entry at index ({}) is infinite{}: entries must be finite, or NaN where they "
      "are missing; replace it by NaN or by a number",
      fmt::join(index.begin(), index.begin() + shape_.order(), ", "),
      request_.precision == Precision::f32 ? " in single precision" : ""));
}

GroupRange groups_of(const Communicator& communicator, int rank, int groups) {
  return {groups * rank / communicator.size(), groups * (rank + 1) / communicator.size()};
}

namespace {

/// Visits every number of a Partial except those of S; counts below 2^53 are exact as doubles.
template <class Visit>
void visit_numbers(Partial& group, Visit&& visit) {
  kernels::TileSums& sums = group.sums;
  for (Index* count : {&sums.kept, &sums.rejected, &sums.missing, &group.infinite_at})
    visit(*count);
  for (double* sum : {&sums.kept_square_sum, &sums.rejected_square_sum, &sums.weight_sum,
                      &sums.cost_sum, &sums.data_square_sum, &sums.data_max}) {
    visit(*sum);
  }
  for (RowMatrix& matrix : group.mttkrp) {
    for (Index i = 0; i < matrix.size(); ++i) visit(matrix.data()[i]);
  }
  for (SliceStatistics& slices : group.slices) {
    for (std::vector<Index>* counts : {&slices.observed, &slices.fitted, &slices.kept}) {
      for (Index& count : *counts) visit(count);
    }
    for (double& sum : slices.kept_square_sum) visit(sum);
  }
  if (group.magnitudes) {
    for (Index& count : group.magnitudes->counts()) visit(count);
  }
}

}  // namespace

void share(const Communicator& communicator, int root, Partial& group) {
  std::vector<double> numbers;
  visit_numbers(group, [&](auto& number) { numbers.push_back(static_cast<double>(number)); });
  communicator.broadcast(numbers, root);
  if (communicator.rank() == root) return;
  std::size_t at = 0;
  visit_numbers(group, [&]<class Number>(Number& number) {
    // `nowhere` does not fit in a double, but no other value is as large.
    const double value = numbers[at++];
    const bool beyond = std::is_same_v<Number, Index> && value >= 0x1p63;
    number = beyond ? static_cast<Number>(nowhere) : static_cast<Number>(value);
  });
}

}  // namespace sunder
