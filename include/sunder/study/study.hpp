#pragma once
/// Studies: many planted problems, many methods, and one result for each pair. They cover the
/// settings of the paper's synthetic experiments and a phase diagram.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {

/// One run: a planted problem and a method. The setting and the version of the program determine
/// the result.
struct StudySetting {
  std::string panel;  ///< "a" to "d" of the paper's figures, or "phase"
  std::string method;
  int n = 100;  ///< the tensor is n x n x n
  int rank = 5;
  Support support = Support::uniform;
  double density = 0.1;  ///< d / n of the paper
  std::uint64_t seed = 1;

  friend bool operator==(const StudySetting&, const StudySetting&) = default;
};

struct StudyResult {
  StudySetting setting;
  std::string status;  ///< an outcome, "over budget", or the reason of a failure
  double error = 0;    ///< ||L - L*||_F / ||L*||_F; 1 for L = 0 and for runs that did not finish
  double seconds = 0;  ///< processor time
  int passes = 0;
  Certified certified = Certified::none;
};

/// Returns the name of a method in the paper's figures, or its own name if it is not among them.
std::string label_of(const std::string& method);

/// Returns the settings of figures 1 and 2: rank 5 and 25, scattered and block corruption, d = 10,
/// 20, 30, 40 of n = 100; the paper's methods and robust-cp. `quick` takes two ranks that suit n,
/// and d = 10 and 30.
std::vector<StudySetting> figure_settings(int n, int runs, bool quick);

/// Returns the settings of a phase diagram, recovery over the share of corrupted entries and the
/// rank, for robust-cp and all other methods.
std::vector<StudySetting> phase_settings(int n, int runs, bool quick);

struct StudyOptions {
  int workers = 0;            ///< simultaneous runs, one thread each; 0: one per processor
  double time_limit = 300;    ///< seconds of processor time per run
  ProgressCallback progress;  ///< called often, from the calling thread; may cancel
  /// Called for each result as it arrives, by one worker at a time.
  std::function<void(const StudyResult&)> on_result;
};

/// Runs the study. Throws Cancelled when the callback cancels; finished results have been passed to
/// on_result by then.
void run_study(const std::vector<StudySetting>& settings, const StudyOptions& options);

}  // namespace sunder
