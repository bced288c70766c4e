#include "algorithms/matrix/matrix_method.hpp"
#include "algorithms/matrix/matrix_models.hpp"
#include "algorithms/run/validation.hpp"
#include "core/stopwatch.hpp"

namespace sunder {

Decomposition decompose_flattening(const TensorView& tensor, const RunOptions& run,
                                   int flatten_mode, std::string_view method,
                                   const MatrixSolver& solver) {
  const Stopwatch clock;
  require_decomposable(tensor.shape());
  require_option(0 <= flatten_mode && flatten_mode < tensor.order(), "flatten-mode",
                 fmt::format("from 0 to {}", tensor.order() - 1), flatten_mode);
  const Flattening flattening(tensor, flatten_mode);
  require_rank(run.rank, flattening.matrix().shape());
  Decomposition result = solver(flattening.matrix(), run, 0).parts;
  require_observed(result.missing_count, tensor.shape());
  result.low_rank = unflattened(result.low_rank, flattening.layout());
  result.sparse = unflattened(result.sparse, flattening.layout());
  result.certificate.explanation = uncertified(method);
  result.seconds = clock.seconds();
  return result;
}

std::string uncertified(std::string_view method) {
  return fmt::format(
      "{} has no certificate: its convergence does not prove that L is the true low-rank part.",
      method);
}

}  // namespace sunder
