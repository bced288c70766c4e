#include "algorithms/methods/method_of.hpp"
#include "sunder/algorithms/horpca.hpp"
#include "sunder/algorithms/pcp.hpp"
#include "sunder/algorithms/shah.hpp"

namespace sunder {

template <class Visitor>
void visit_options(PcpOptions& options, Visitor&& visit) {
  visit("lambda", options.lambda, "weight of ||S||_1, in units of 1/sqrt(max(m, n))");
  visit("growth", options.growth, "rho: factor on the penalty mu for each iteration");
  visit("tolerance", options.tolerance, "||M - L - S|| / ||M|| at which the iteration ends");
  visit("max-iterations", options.max_iterations, "steps of the augmented Lagrangian method");
}

template <class Visitor>
void visit_options(PcpFlatOptions& options, Visitor&& visit) {
  visit("flatten-mode", options.flatten_mode, flatten_mode_meaning);
  visit_options(options.matrix, visit);
}

template <class Visitor>
void visit_options(PcpSliceOptions& options, Visitor&& visit) {
  visit("slice-modes", options.slice_modes, slice_modes_meaning);
  visit_options(options.matrix, visit);
}

template <class Visitor>
void visit_options(HorpcaOptions& options, Visitor&& visit) {
  visit("lambda", options.lambda, "weight of ||S||_1, in units of 1/sqrt(longest mode)");
  visit("mu", options.mu, "1/penalty, in units of the standard deviation of the entries");
  visit("tolerance", options.tolerance,
        "relative primal and dual residual at which the iteration ends");
  visit("max-iterations", options.max_iterations, "steps of the augmented Lagrangian method");
}

template <class Visitor>
void visit_options(HorpcaCOptions& options, Visitor&& visit) {
  visit("mu", options.mu, "first 1/penalty, in units of the standard deviation of the entries");
  visit("reduction", options.reduction, "factor on mu every ten iterations");
  visit("smallest-mu", options.smallest_mu, "mu does not fall below this, in the same units");
  visit("tolerance", options.tolerance,
        "relative primal and dual residual at which the iteration ends");
  visit("max-iterations", options.max_iterations, "steps of the augmented Lagrangian method");
}

template <class Visitor>
void visit_options(ShahOptions& options, Visitor&& visit) {
  visit("contract-mode", options.contract_mode, "the mode that the random contractions run along");
  visit("slices", options.slices, "slices in a contraction; 0: all, as in the paper");
  visit("nu", options.nu, "weight of the l1 norm, in units of 1 / sqrt(longer side)");
  visit("tolerance", options.tolerance, "relative residual at which a separation ends");
  visit("max-iterations", options.max_iterations, "for each of the two separations");
}

void add_convex_methods(MethodList& list) {
  add_method<PcpFlatOptions>(
      list, {.name = "pcp-flat",
             .summary = "convex matrix robust PCA (principal component pursuit), on a flattening",
             .function = &pcp_flat});
  add_method<PcpSliceOptions>(
      list, {.name = "pcp-slice",
             .summary = "convex matrix robust PCA (principal component pursuit), on every slice",
             .function = &pcp_slice});
  add_method<HorpcaOptions>(
      list, {.name = "horpca",
             .summary = "convex tensor robust PCA: nuclear norms of all unfoldings (HoRPCA-S)",
             .function = &horpca});
  add_method<HorpcaCOptions>(
      list, {.name = "horpca-c",
             .summary = "tensor robust PCA with unfoldings of the given rank (HoRPCA-C)",
             .function = &horpca_c});
}

void add_shah(MethodList& list) {
  add_method<ShahOptions>(list, {.name = "shah",
                                 .summary = "random contractions, convex separation and "
                                            "simultaneous diagonalisation, for order 3",
                                 .function = &shah});
}

}  // namespace sunder
