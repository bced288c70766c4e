#include "algorithms/methods/method_of.hpp"
#include "algorithms/robust_cp/reading.hpp"
#include "sunder/algorithms/robust_cp.hpp"

namespace sunder {

template <class Visitor>
void visit_options(RobustCpOptions& options, Visitor&& visit) {
  visit("core", options.core,
        "side of the sampled core, as if of order 3; it grows where the certificate fails");
  visit("max-read", options.max_read,
        "no further core once this many times the entries of T were sampled");
  visit("polish-passes", options.polish_passes, "passes that refine L where there is noise");
  visit("fdr", options.fdr,
        "with noise, the share of the entries of S that may be noise (the false discovery rate)");
  visit("noise-width", options.noise_width,
        "with noise, S holds residuals of at least this many standard deviations; 0: the false "
        "discovery rate decides");
  visit("noise", options.noise,
        "the noise: auto (the likelihood decides), gaussian, poisson (counts), proportional to the "
        "signal, or t (heavy tails)");
  visit("casewise", options.casewise,
        "on or off: list slices that do not obey the model, as bad samples do");
  visit("smooth", options.smooth, smooth_meaning);
  visit("symmetric", options.symmetric, "the tensor is symmetric: all modes share one factor");
  visit("shared", options.shared, shared_meaning);
  visit("nonnegative", options.nonnegative, nonnegative_meaning);
}

void add_robust_cp(MethodList& list) {
  add_method<RobustCpOptions>(
      list, {.name = "robust-cp",
             .summary = "exact recovery from a sampled core, certified by one read of the data",
             .function = &robust_cp,
             .stored_function = &robust_cp,
             .abilities = {.checkpoints = true,
                           .processes = true,
                           .chooses_rank = true,
                           .needs = {.work_memory = robust::row_memory,
                                     .columns_per_component = robust::columns_per_component}}});
}

}  // namespace sunder
