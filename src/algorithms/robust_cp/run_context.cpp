#include "algorithms/robust_cp/run_context.hpp"

#include <numeric>
#include <utility>

#include "sunder/core/error.hpp"

namespace sunder::robust {

namespace {

std::shared_ptr<const Communicator> communicator_of(const RunOptions& run) {
  return run.communicator ? run.communicator : std::make_shared<SerialCommunicator>();
}

Constraints constraints_of(const RobustCpOptions& options, const Shape& shape) {
  Constraints constraints{options.shared, options.nonnegative};
  if (options.symmetric) {
    ModeList every(shape.order());
    std::iota(every.begin(), every.end(), 0);
    constraints.shared = {every};
  }
  return constraints;
}

Progress progress_of(const RunContext& context) {
  return {.stage = context.stage, .pass = context.meter.passes()};
}

}  // namespace

RunContext::RunContext(std::shared_ptr<Source> source, const RunOptions& run_options,
                       const RobustCpOptions& method_options)
    : shape(source->shape()),
      run(run_options),
      options(method_options),
      constraints(constraints_of(options, shape), shape),
      control(run, communicator_of(run)),
      engine(std::move(source), communicator_of(run), run.threads,
             [this] { return control.report(progress_of(*this)); }),
      monitor([this] { report_progress(); }),
      meter(engine, monitor),
      steps(run.state_keeper, engine.communicator(), state, meter),
      sparse_pass(engine, run, state.precision, monitor) {
  const ScalarType type = engine.type();
  if (type != ScalarType::f64 && type != ScalarType::i32) state.precision = Precision::f32;
}

void RunContext::report_progress() { control.ask(progress_of(*this)); }

}  // namespace sunder::robust
