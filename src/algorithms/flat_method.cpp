#include "algorithms/flat_method.hpp"

#include "algorithms/altproj.hpp"
#include "algorithms/matrix_models.hpp"
#include "algorithms/validation.hpp"
#include "core/stopwatch.hpp"

namespace sunder {

Decomposition on_flattening(const TensorView& tensor, const RunOptions& run, int mode,
                            std::string_view name, const MatrixMethod& method) {
  const Stopwatch clock;
  require_decomposable(tensor.shape());
  require_option(0 <= mode && mode < tensor.order(), "flatten-mode",
                 fmt::format("from 0 to {}", tensor.order() - 1), mode);
  const Flattening flattening(tensor, mode);
  require_rank(run.rank, flattening.matrix().shape());
  Decomposition result = method(flattening.matrix());
  require_observed(result.missing_count, tensor.shape());
  result.low_rank = unflattened(result.low_rank, flattening.layout());
  result.sparse = unflattened(result.sparse, flattening.layout());
  result.certificate.explanation = uncertified(name);
  result.seconds = clock.seconds();
  return result;
}

}  // namespace sunder
