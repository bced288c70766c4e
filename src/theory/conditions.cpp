#include "sunder/theory/conditions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {

double embedding_constant(const Shape& shape) {
  double sum = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (const Index extent : shape) {
    sum += static_cast<double>(extent);
    smallest = std::min(smallest, static_cast<double>(extent));
  }
  return std::sqrt(sum / (shape.order() * smallest));
}

ProblemSize problem_size(const Shape& shape, int rank, double mu) {
  ProblemSize size;
  size.n = std::pow(static_cast<double>(shape.entries()), 1.0 / shape.order());
  size.rank = rank;
  size.mu = mu * embedding_constant(shape);
  return size;
}

double allowed_block_extent(const ProblemSize& size) {
  return std::pow(size.n / (size.rank * std::pow(size.mu, 3)), 2.0 / 3);
}

double allowed_block_count(const ProblemSize& size, double overlap) {
  const double by_size = std::pow(size.n, 2.0 / 3) * std::cbrt(size.rank);
  return overlap > 0 ? std::min(by_size, std::pow(overlap, -1.5)) : by_size;
}

double allowed_fibre_tensor(const ProblemSize& size) {
  return std::sqrt(size.n) / (size.rank * std::pow(size.mu, 3));
}

double allowed_fibre_matrix(const ProblemSize& size) {
  return size.n / (size.rank * size.mu * size.mu);
}

BlockConditions block_conditions(const ProblemSize& size, const BlockStructure& blocks) {
  BlockConditions conditions;
  conditions.structured = blocks.structured();
  conditions.extent = {static_cast<double>(blocks.largest_extent), allowed_block_extent(size)};
  conditions.count = {static_cast<double>(blocks.blocks.size()),
                      allowed_block_count(size, blocks.overlap)};
  return conditions;
}

double threshold_scale(const ProblemSize& size) {
  return 4 * std::pow(size.mu, 3) * size.rank / std::pow(size.n, 1.5);
}

std::optional<double> iterations_per_stage(const ProblemSize& size, double cleaned_norm,
                                           double delta) {
  const double argument = size.n * threshold_scale(size) * cleaned_norm / delta;
  if (!(argument > 0) || !std::isfinite(argument)) return std::nullopt;
  return std::max(0.0, 10 * std::log(argument));
}

ToleratedSparsity tolerated_sparsity(const ProblemSize& size) {
  ToleratedSparsity tolerated;
  tolerated.extent = allowed_block_extent(size);
  const double overlap = std::max(tolerated.extent / size.n, 1 / std::sqrt(size.n));
  tolerated.blocks = allowed_block_count(size, overlap);
  tolerated.tensor = tolerated.extent * tolerated.blocks;
  tolerated.matrix = allowed_fibre_matrix(size);
  return tolerated;
}

double tensor_advantage(double n, double rank) {
  if (rank < std::pow(n, 0.25)) return std::pow(n, 1.0 / 6) * std::pow(rank, 4.0 / 3);
  return std::pow(n, 5.0 / 12) * std::cbrt(rank);
}

std::vector<Advantage> advantage_table(const std::vector<double>& extents,
                                       const std::vector<double>& ranks) {
  std::vector<Advantage> table;
  for (const double n : extents) {
    for (const double rank : ranks) {
      if (rank <= n) table.push_back({n, rank, tensor_advantage(n, rank)});
    }
  }
  return table;
}

}  // namespace sunder
