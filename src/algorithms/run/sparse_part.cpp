#include "algorithms/run/sparse_part.hpp"

#include <cmath>

namespace sunder {

SparseSink sparse_sink(const Engine& engine, const RunOptions& options) {
  SparseReceiver* receiver = options.sparse_receiver;
  if (receiver == nullptr) return {};
  receiver->begin(engine.shape(), engine.finds_in_order());
  return [receiver](auto positions, auto values) { receiver->add(positions, values); };
}

void find_sparse(Engine& engine, double zeta, const RunOptions& options, Decomposition& result) {
  PassResult last = engine.pass({.model = &result.low_rank,
                                 .rule = Rule::hard_threshold(zeta),
                                 .collect_sparse = lists_sparse(options),
                                 .sparse_sink = sparse_sink(engine, options)});
  if (lists_sparse(options)) result.sparse = std::move(last.sparse);
  result.sparse_count = last.statistics.rejected;
  result.sparse_norm = std::sqrt(last.statistics.rejected_square_sum);
  result.missing_count = last.statistics.missing;
}

RunOptions options_of_part(RunOptions options) {
  options.collect_sparse = options.collect_sparse || options.sparse_receiver != nullptr;
  options.sparse_receiver = nullptr;
  options.communicator = nullptr;
  options.state_keeper = nullptr;
  return options;
}

void deliver_sparse(const RunOptions& options, Decomposition& result) {
  if (options.sparse_receiver == nullptr) return;
  const Shape shape = result.sparse.shape();
  options.sparse_receiver->begin(shape, true);
  options.sparse_receiver->add(result.sparse.positions(), result.sparse.values());
  result.sparse = SparseTensor(shape);
}

}  // namespace sunder
