#include "algorithms/run/last_pass.hpp"

#include <cmath>

namespace sunder {

void find_sparse(Engine& engine, double zeta, bool collect, Decomposition& result) {
  PassResult last = engine.pass(
      {.model = &result.low_rank, .rule = Rule::hard_threshold(zeta), .collect_sparse = collect});
  if (collect) result.sparse = std::move(last.sparse);
  result.sparse_count = last.statistics.rejected;
  result.sparse_norm = std::sqrt(last.statistics.rejected_square_sum);
  result.missing_count = last.statistics.missing;
}

}  // namespace sunder
