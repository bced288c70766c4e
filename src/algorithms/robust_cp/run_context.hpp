#pragma once
/// What every stage of a robust-cp run works with: the tensor, the options, the constraints, the
/// state of the run, and the means to read T, to report progress and to keep checkpoints.

#include <memory>
#include <string>

#include "algorithms/robust_cp/certificate/sparse_pass.hpp"
#include "algorithms/robust_cp/core/core_budget.hpp"
#include "algorithms/robust_cp/steps.hpp"
#include "algorithms/run/run.hpp"
#include "sunder/algorithms/robust_cp.hpp"

namespace sunder::robust {

struct RunContext {
  RunContext(std::shared_ptr<Source> source, const RunOptions& run, const RobustCpOptions& options);
  RunContext(const RunContext&) = delete;
  RunContext& operator=(const RunContext&) = delete;

  /// Throws Cancelled if the caller no longer wants the result or the time is up. Every process
  /// calls it.
  void report_progress() { frame.ask(); }

  const Shape shape;
  RunOptions run;
  const bool chooses_rank = run.rank == 0;  ///< the rank was not given; run.rank is set later
  const RobustCpOptions options;
  const ModeConstraints constraints;
  Run frame;
  RunState state;
  std::string& stage = frame.stage();  ///< for progress reports
  Engine& engine = frame.engine();
  Monitor& monitor = frame.monitor();
  Meter& meter = frame.meter();
  Steps steps;
  SparsePass sparse_pass;
  CoreBudget budget{0};
};

}  // namespace sunder::robust
