#include "algorithms/matrix/matrix_method.hpp"
#include "algorithms/matrix/matrix_models.hpp"
#include "algorithms/run/abilities.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/run/validation.hpp"

namespace sunder {

Decomposition decompose_flattening(const TensorView& tensor, const RunOptions& run,
                                   int flatten_mode, std::string_view method,
                                   const MatrixSolver& solver) {
  const TimeLimit limit(run.max_seconds);
  require_heeded(method, {}, run);
  require_decomposable(tensor.shape());
  require_option(0 <= flatten_mode && flatten_mode < tensor.order(), "flatten-mode",
                 fmt::format("from 0 to {}", tensor.order() - 1), flatten_mode);
  const Flattening flattening(tensor, flatten_mode);
  require_rank(run.rank, flattening.matrix().shape());
  RunOptions matrix_run = options_of_part(run);
  matrix_run.max_seconds = limit.left();
  Decomposition result = solver(flattening.matrix(), matrix_run, 0).parts;
  require_observed(result.missing_count, tensor.shape());
  result.low_rank = unflattened(result.low_rank, flattening.layout());
  result.sparse = unflattened(result.sparse, flattening.layout());
  deliver_sparse(run, result);
  result.certificate.explanation = uncertified(method);
  explain_time_limit(result);
  result.seconds = limit.seconds();
  return result;
}

}  // namespace sunder
