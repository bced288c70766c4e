#include "algorithms/robust_cp/run_context.hpp"

#include <numeric>
#include <utility>

namespace sunder::robust {

namespace {

Constraints constraints_of(const RobustCpOptions& options, const Shape& shape) {
  Constraints constraints{options.shared, options.nonnegative};
  if (options.symmetric) {
    ModeList every(shape.order());
    std::iota(every.begin(), every.end(), 0);
    constraints.shared = {every};
  }
  return constraints;
}

}  // namespace

RunContext::RunContext(std::shared_ptr<Source> source, const RunOptions& run_options,
                       const RobustCpOptions& method_options)
    : shape(source->shape()),
      run(run_options),
      options(method_options),
      constraints(constraints_of(options, shape), shape),
      frame(std::move(source), run, "robust-cp"),
      steps(run.state_keeper, engine.communicator(), state, meter),
      sparse_pass(engine, run, state.precision, monitor) {
  const ScalarType type = engine.type();
  if (type != ScalarType::f64 && type != ScalarType::i32) state.precision = Precision::f32;
  frame.on_interruption([this] { steps.keep_now(); });
}

}  // namespace sunder::robust
