#pragma once
/// Studies: many planted problems, many methods, one result each. The settings of the paper's
/// synthetic experiments, and a phase diagram.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {

/// One run: a planted problem and a method. Everything that determines the result but for the
/// version of the program.
struct StudySetting {
  std::string panel;  ///< where it belongs: "a" to "d" of the paper's figures, or "phase"
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
  std::string status;  ///< an outcome, "over budget", or why it failed
  double error = 0;    ///< ||L - L*||_F / ||L*||_F; 1 for L = 0, and for what did not finish
  double seconds = 0;  ///< of processor time
  int passes = 0;
  Certified certified = Certified::none;
};

/// The name that the paper's figures have for a method; its own otherwise.
std::string label_of(const std::string& method);

/// Figures 1 and 2: rank 5 and 25, scattered and block corruption, d = 10, 20, 30, 40 of n = 100;
/// the paper's methods and robust-cp. Quick: two ranks that suit n, d = 10 and 30.
std::vector<StudySetting> figure_settings(int n, int runs, bool quick);

/// Recovery over the share of corrupted entries and the rank: robust-cp and every rival.
std::vector<StudySetting> phase_settings(int n, int runs, bool quick);

struct StudyOptions {
  int workers = 0;            ///< runs at a time, one thread each; 0: one for each processor
  double time_limit = 300;    ///< seconds of processor time for a run
  ProgressCallback progress;  ///< called often, from the calling thread; may cancel
  /// Called for each result as it comes, by one worker at a time.
  std::function<void(const StudyResult&)> on_result;
};

/// Throws Cancelled when the callback says so; what is finished has been handed over by then.
void run_study(const std::vector<StudySetting>& settings, const StudyOptions& options);

}  // namespace sunder
