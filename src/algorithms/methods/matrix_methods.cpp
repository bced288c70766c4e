#include "algorithms/methods/method_of.hpp"
#include "sunder/algorithms/accaltproj.hpp"
#include "sunder/algorithms/altproj.hpp"
#include "sunder/algorithms/ircur.hpp"

namespace sunder {

template <class Visitor>
void visit_options(AltProjOptions& options, Visitor&& visit) {
  visit("mu", options.mu, "incoherence in beta = 4 mu^2 r / sqrt(m n)");
  visit("reduction", options.reduction,
        "factor on beta each time the last stage stands still; 1: off");
  visit("tolerance", options.tolerance, "error of L to reach, relative to the norm of the matrix");
  visit("max-iterations", options.max_iterations,
        "alternations of projection and threshold, over all stages");
}

template <class Visitor>
void visit_options(AltProjFlatOptions& options, Visitor&& visit) {
  visit("flatten-mode", options.flatten_mode, flatten_mode_meaning);
  visit_options(options.matrix, visit);
}

template <class Visitor>
void visit_options(AltProjSliceOptions& options, Visitor&& visit) {
  visit("slice-modes", options.slice_modes, slice_modes_meaning);
  visit_options(options.matrix, visit);
}

template <class Visitor>
void visit_options(AccAltProjOptions& options, Visitor&& visit) {
  visit("flatten-mode", options.flatten_mode, flatten_mode_meaning);
  visit("mu", options.mu, "incoherence in beta = mu r / (2 sqrt(m n))");
  visit("gamma", options.gamma, "factor on the vanishing part of the threshold for each iteration");
  visit("trim", options.trim, "cut long rows of the singular vectors to sqrt(mu r / m)");
  visit("tolerance", options.tolerance, "norm of M - L - S over that of M at which it ends");
  visit("max-iterations", options.max_iterations, "projections, of a pass each");
}

template <class Visitor>
void visit_options(IrcurOptions& options, Visitor&& visit) {
  visit("flatten-mode", options.flatten_mode, flatten_mode_meaning);
  visit("sample-constant", options.sample_constant,
        "c: c r log m rows and c r log n columns are drawn");
  visit("fixed", options.fixed, "one sample for all iterations instead of a new one for each");
  visit("gamma", options.gamma, "factor on the threshold for each iteration");
  visit("tolerance", options.tolerance, "residual of the sample over its norm at which it ends");
  visit("max-iterations", options.max_iterations, "alternations of threshold and CUR");
}

void add_altproj(MethodList& list) {
  add_method<AltProjFlatOptions>(
      list, {.name = "altproj-flat",
             .summary = "matrix robust PCA by alternating projections, on a flattening",
             .function = &altproj_flat});
  add_method<AltProjSliceOptions>(
      list, {.name = "altproj-slice",
             .summary = "matrix robust PCA by alternating projections, on every slice",
             .function = &altproj_slice});
}

void add_sampled_and_accelerated(MethodList& list) {
  add_method<AccAltProjOptions>(list, {.name = "accaltproj-flat",
                                       .summary = "matrix robust PCA by accelerated alternating "
                                                  "projections, on a flattening",
                                       .function = &accaltproj_flat});
  add_method<IrcurOptions>(
      list, {.name = "ircur-flat",
             .summary = "matrix robust PCA from sampled rows and columns, on a flattening",
             .function = &ircur_flat});
}

}  // namespace sunder
