#include "algorithms/methods/method_of.hpp"
#include "sunder/algorithms/rtd.hpp"
#include "sunder/algorithms/rtd_als.hpp"
#include "sunder/algorithms/rtd_whiten.hpp"

namespace sunder {

/// What rtd-als shares with the methods that whiten.
template <class Visitor>
void visit_loop_options(RtdAlsOptions& options, Visitor&& visit) {
  visit("mu", options.mu, "incoherence constant in zeta = mu sigma / n^1.5");
  visit("noise-floor", options.noise_floor,
        "threshold never below this many standard deviations of the inliers; 0: off");
  visit("decay", options.decay, "factor on the threshold for each iteration of the last stage");
  visit("max-iterations", options.max_iterations,
        "alternations of low-rank fit and threshold, over all stages");
  visit("stage-iterations", options.stage_iterations,
        "at most this many of them in a stage before the last");
  visit("als-sweeps", options.als_sweeps, "sweeps of CP-ALS for each low-rank fit");
  visit("als-tolerance", options.als_tolerance,
        "relative change of L at which a low-rank fit ends");
  visit("tolerance", options.tolerance, "relative change of L at which the iteration ends");
}

template <class Visitor>
void visit_options(RtdAlsOptions& options, Visitor&& visit) {
  visit_loop_options(options, visit);
  visit("shared", options.shared, shared_meaning);
  visit("nonnegative", options.nonnegative, nonnegative_meaning);
}

template <class Visitor>
void visit_options(RtdWhitenOptions& options, Visitor&& visit) {
  visit_loop_options(options, visit);
}

template <class Visitor>
void visit_options(RtdOptions& options, Visitor&& visit) {
  visit("delta", options.delta, "accuracy of L that sets the number of iterations");
  visit("mu", options.mu, "incoherence of L in beta = 4 mu^3 r / n^1.5");
  visit("beta", options.beta, "threshold over eigenvalue");
  visit("restarts", options.restarts, "N1: starts for each component");
  visit("power-iterations", options.power_iterations, "N2: power iterations for each start");
  visit("shift", options.shift, "alpha of the shifted power iteration");
  visit("embed", options.embed, "decompose an asymmetric tensor through its symmetric embedding");
}

void add_paper_methods(MethodList& list) {
  const MethodAbilities by_passes{.checkpoints = true, .processes = true};
  add_method<RtdAlsOptions>(list, {.name = "rtd-als",
                                   .summary = "the paper's RTD as its experiments ran it: CP-ALS "
                                              "and hard thresholding in stages",
                                   .function = &rtd_als,
                                   .stored_function = &rtd_als,
                                   .abilities = by_passes});
  add_method<RtdOptions>(
      list, {.name = "rtd",
             .summary = "Algorithm 1 of the paper with Procedure 1, for symmetric tensors",
             .function = &rtd,
             .stored_function = &rtd,
             .abilities = by_passes});
  add_method<RtdWhitenOptions>(
      list, {.name = "rtd-whiten-true",
             .summary = "rtd-als with whitening by the true second moment (needs the truth)",
             .function = &rtd_whiten_true,
             .stored_function = &rtd_whiten_true,
             .abilities = by_passes});
  add_method<RtdWhitenOptions>(
      list, {.name = "rtd-whiten-slice",
             .summary = "rtd-als with whitening by the low-rank part of random slices",
             .function = &rtd_whiten_slice,
             .abilities = {.checkpoints = true}});
}

}  // namespace sunder
