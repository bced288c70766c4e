#include "cli/info/theory_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/cli.hpp"

namespace sunder::cli {

namespace {

using Json = nlohmann::ordered_json;

void heading(std::string_view text) { fmt::print("\n{}\n", text); }

void line(std::string_view name, const std::string& value, std::string_view meaning = "") {
  fmt::print("  {:<16}{:<{}}{}\n", name, value, meaning.empty() ? 0 : 26, meaning);
}

std::string_view verdict(bool holds) { return holds ? "holds" : "does not hold"; }

std::string of_allowed(const Margin& margin) {
  return fmt::format("{:.4g} of {:.4g} allowed", margin.measured, margin.allowed);
}

/// Prints the bound, and the factor by which it is exceeded.
void margin_line(std::string_view name, const Margin& margin, std::string_view bound) {
  line(name, of_allowed(margin),
       margin.holds() ? std::string(bound)
                      : fmt::format("{}, exceeded {:.3g} times", bound, margin.ratio()));
}

void print_low_rank(const TheoryReport& report) {
  const Incoherence& found = report.low_rank;
  heading("Low-rank part, condition (L)");
  line("rank", fmt::format("{}", found.rank));
  line("mu", fmt::format("{:.4g}", found.mu),
       "largest sqrt(n) |entry| of a unit column; 1 is flat");
  line("orthogonality", fmt::format("{:.2e}", found.orthogonality_defect),
       "largest |<u_i, u_j>|, i != j");
  line("weights", fmt::format("{:.4g} to {:.4g}", found.smallest_weight, found.largest_weight));
  line("(L)", std::string(verdict(found.condition_holds())), "orthogonal, weights positive");
}

void print_sparse(const TheoryReport& report) {
  heading("Sparse part, condition (S)");
  const BlockStructure& found = report.blocks;
  line("entries", grouped_digits(report.sparse_count),
       fmt::format("{:.3f}% of the tensor", 100 * static_cast<double>(report.sparse_count) /
                                                static_cast<double>(report.shape.entries())));
  line("blocks", fmt::format("{}", found.blocks.size()),
       fmt::format("they hold {:.2f}% of S{}", 100 * found.coverage,
                   found.structured() ? "" : ": S is not block structured"));
  line("overlap", fmt::format("{:.4g}", found.overlap),
       "eta, the number of indices that two blocks share, over d");
  line("fibres", fmt::format("{}", report.fibres.largest),
       fmt::format("D, most non-zeros in a fibre; by mode {}",
                   fmt::join(report.fibres.of_mode, ", ")));
  if (report.conditions) {
    const BlockConditions& blocks = report.conditions->blocks;
    margin_line("d", blocks.extent, "(n / (r mu^3))^(2/3)");
    margin_line("B", blocks.count, "min(n^(2/3) r^(1/3), eta^-1.5)");
    line("(S)", std::string(verdict(blocks.hold())), "block structured, d and B as allowed");
  } else {
    line("d", fmt::format("{}", found.largest_extent), "most indices of a block in a mode");
    line("(S)", "not judged", "the paper's conditions are for order 3 and a rank of at least 1");
  }
  line("spectral norm", fmt::format("{:.4g}", report.spectral_norm),
       "of S, a lower bound from power iteration");
  if (report.lemma_bound) {
    line("  its bound", fmt::format("{:.4g}", *report.lemma_bound),
         fmt::format("d^(order/2) max |S|; {:.4g} with the overlap counted",
                     report.certain_bound.value_or(0)));
  } else {
    line("  its bound", "none", "the lemma needs blocks that hold all of S");
  }
}

void print_conditions(const TheoryConditions& found, double delta) {
  heading("Algorithm 1 of the paper");
  line("n, r, mu",
       fmt::format("{:.4g}, {:g}, {:.4g}", found.size.n, found.size.rank, found.size.mu),
       "mean extent, rank, mu adjusted for unequal extents");
  line("beta", fmt::format("{:.4g}", found.beta), "4 mu^3 r / n^1.5, the scale of the thresholds");
  line("zeta_0", fmt::format("{:.4g}", found.start.threshold),
       fmt::format("beta sigma_1(T); S0 has {} entries", grouped_digits(found.start.removed)));
  line("tau", found.tau ? fmt::format("{:.1f}", *found.tau) : "none",
       fmt::format("iterations of a stage for delta = {:g}; ||T - S0|| = {:.4g}", delta,
                   found.start.cleaned_norm));
  heading("Tolerated non-zeros in a fibre");
  margin_line("scattered, RTD", found.fibre_tensor, "sqrt(n) / (r mu^3)");
  margin_line("matrix methods", found.fibre_matrix, "n / (r mu^2)");
  line("blocks, RTD", fmt::format("{:.4g}", found.tolerated.tensor),
       fmt::format("B = {:.3g} random blocks of d = {:.3g}, {:.3g} times a matrix method",
                   found.tolerated.blocks, found.tolerated.extent, found.tolerated.ratio()));
  if (found.tolerated.extent < 1) {
    line("", "", "d below 1: the analysis gives no guarantee for this n, r and mu");
  }
}

void print_table(const TheoryReport& report) {
  heading("RTD over matrix methods, random blocks, mu = 1: D_RTD / D_mat");
  double n = 0;
  for (const Advantage& cell : report.table) {
    if (cell.n != n) fmt::print("{}  n = {:<6g}", n == 0 ? "" : "\n", cell.n);
    n = cell.n;
    fmt::print("  r = {:g}: {:>4.3g}", cell.rank, cell.ratio);
  }
  fmt::print("\n");
}

void print_guarantees(const Guarantees& found, double delta) {
  heading(fmt::format("Theorem 1, the result against the truth, delta = {:g}", delta));
  const auto row = [](std::string_view name, const Margin& margin, std::string_view bound) {
    line(name, fmt::format("{:.2e} of {:.2e}", margin.measured, margin.allowed),
         fmt::format("{}: {}", bound, verdict(margin.holds())));
  };
  row("vectors", found.vectors, "max |u^ - u| <= delta / (mu^2 r sqrt(n) sigma_min)");
  row("weights", found.weights, "max |lambda^ - sigma| <= delta");
  row("L", found.low_rank, "||L^ - L*||_F <= delta");
  row("S", found.sparse, "max |S^ - S*| <= delta / n^1.5");
  line("support", fmt::format("{} outside", grouped_digits(found.outside_support)),
       fmt::format("supp S^ within supp S*: {}", verdict(found.outside_support == 0)));
  line("all", std::string(verdict(found.all_hold())));
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

Json as_json(const Margin& margin) {
  return {{"measured", number(margin.measured)},
          {"allowed", number(margin.allowed)},
          {"ratio", number(margin.ratio())},
          {"holds", margin.holds()}};
}

Json as_json(const TheoryConditions& found) {
  return {{"n", number(found.size.n)},
          {"r", number(found.size.rank)},
          {"mu", number(found.size.mu)},
          {"d", as_json(found.blocks.extent)},
          {"B", as_json(found.blocks.count)},
          {"condition_S", found.blocks.hold()},
          {"D_unstructured_tensor", as_json(found.fibre_tensor)},
          {"D_matrix", as_json(found.fibre_matrix)},
          {"beta", number(found.beta)},
          {"zeta_0", number(found.start.threshold)},
          {"norm_T", number(found.start.tensor_norm)},
          {"norm_T_minus_S0", number(found.start.cleaned_norm)},
          {"tau", number(found.tau)},
          {"tolerated",
           {{"d", number(found.tolerated.extent)},
            {"B", number(found.tolerated.blocks)},
            {"D_tensor", number(found.tolerated.tensor)},
            {"D_matrix", number(found.tolerated.matrix)},
            {"ratio", number(found.tolerated.ratio())}}},
          {"advantage_mu_1", number(found.advantage)}};
}

Json as_json(const Guarantees& found) {
  return {{"vectors", as_json(found.vectors)},        {"weights", as_json(found.weights)},
          {"low_rank", as_json(found.low_rank)},      {"sparse", as_json(found.sparse)},
          {"outside_support", found.outside_support}, {"all_hold", found.all_hold()}};
}

Json numbers(const std::vector<double>& list) {
  Json json = Json::array();
  for (const double value : list) json.push_back(number(value));
  return json;
}

}  // namespace

void print_theory(const TheoryReport& report) {
  fmt::print("{}\n", report.input);
  line("tensor", to_string(report.shape));
  line("decomposed", fmt::format("{}, seed {}: {}, certified {}", report.method, report.seed,
                                 to_string(report.outcome), to_string(report.certified)));
  line("figures of",
       report.truth.empty() ? "the L and S that were found" : "the truth, " + report.truth);
  print_low_rank(report);
  print_sparse(report);
  if (report.conditions) print_conditions(*report.conditions, report.delta);
  print_table(report);
  if (report.guarantees) print_guarantees(*report.guarantees, report.delta);
  fmt::print("\nConstants that the paper does not specify are taken as 1.\n");
}

std::string theory_json(const TheoryReport& report) {
  const auto some = [](const auto& part) { return part ? as_json(*part) : Json(nullptr); };
  Json json;
  json["file"] = report.input;
  json["shape"] = std::vector<Index>(report.shape.begin(), report.shape.end());
  json["method"] = report.method;
  json["seed"] = report.seed;
  json["delta"] = number(report.delta);
  json["outcome"] = to_string(report.outcome);
  json["certified"] = to_string(report.certified);
  json["figures_of"] = report.truth.empty() ? "result" : "truth";
  json["low_rank"] = {{"rank", report.low_rank.rank},
                      {"mu", number(report.low_rank.mu)},
                      {"mu_of_mode", numbers(report.low_rank.mu_of_mode)},
                      {"orthogonality_defect", number(report.low_rank.orthogonality_defect)},
                      {"defect_of_mode", numbers(report.low_rank.defect_of_mode)},
                      {"smallest_weight", number(report.low_rank.smallest_weight)},
                      {"largest_weight", number(report.low_rank.largest_weight)},
                      {"embedding_constant", number(embedding_constant(report.shape))},
                      {"condition_L", report.low_rank.condition_holds()}};
  json["sparse"] = {{"count", report.sparse_count},
                    {"blocks", report.blocks.blocks.size()},
                    {"block_extent", report.blocks.largest_extent},
                    {"overlap", number(report.blocks.overlap)},
                    {"coverage", number(report.blocks.coverage)},
                    {"block_structured", report.blocks.structured()},
                    {"fibre_sparsity", report.fibres.largest},
                    {"fibre_sparsity_of_mode", report.fibres.of_mode},
                    {"largest_entry", number(report.largest_entry)},
                    {"spectral_norm", number(report.spectral_norm)},
                    {"spectral_bound", number(report.lemma_bound)},
                    {"spectral_bound_certain", number(report.certain_bound)}};
  json["conditions"] = some(report.conditions);
  json["guarantees"] = some(report.guarantees);
  json["advantage"] = Json::array();
  for (const Advantage& cell : report.table) {
    json["advantage"].push_back({{"n", cell.n}, {"r", cell.rank}, {"ratio", number(cell.ratio)}});
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace sunder::cli
