#include "algorithms/altproj.hpp"
#include "algorithms/matrix_models.hpp"
#include "algorithms/validation.hpp"
#include "core/stopwatch.hpp"

namespace sunder {

Decomposition altproj_flat(const TensorView& tensor, const RunOptions& run,
                           const AltProjFlatOptions& options) {
  const Stopwatch clock;
  require_decomposable(tensor.shape());
  validate(options.matrix);
  require_option(0 <= options.flatten_mode && options.flatten_mode < tensor.order(), "flatten-mode",
                 fmt::format("from 0 to {}", tensor.order() - 1), options.flatten_mode);
  const Flattening flattening(tensor, options.flatten_mode);
  require_rank(run.rank, flattening.matrix().shape());
  Decomposition result = altproj(flattening.matrix(), run, options.matrix).parts;
  require_observed(result.missing_count, tensor.shape());
  result.low_rank = unflattened(result.low_rank, flattening.layout());
  result.sparse = unflattened(result.sparse, flattening.layout());
  result.certificate.explanation = uncertified("altproj-flat");
  result.seconds = clock.seconds();
  return result;
}

}  // namespace sunder
