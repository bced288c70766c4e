#include "algorithms/altproj.hpp"
#include "algorithms/flat_method.hpp"

namespace sunder {

Decomposition altproj_flat(const TensorView& tensor, const RunOptions& run,
                           const AltProjFlatOptions& options) {
  validate(options.matrix);
  return on_flattening(
      tensor, run, options.flatten_mode, "altproj-flat",
      [&](const TensorView& matrix) { return altproj(matrix, run, options.matrix).parts; });
}

}  // namespace sunder
