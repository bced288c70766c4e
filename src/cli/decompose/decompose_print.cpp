#include "cli/decompose/decompose_print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "cli/cli.hpp"
#include "sunder/core/scalar_type.hpp"

namespace sunder::cli {

namespace {

/// What was read besides complete passes.
std::string sampled(const Decomposition& result) {
  if (result.entries_sampled == 0) return "";
  return fmt::format(" and {:.3g} times its entries sampled",
                     static_cast<double>(result.entries_sampled) /
                         static_cast<double>(result.low_rank.shape().entries()));
}

std::size_t tensor_bytes(const RunDescription& run, const Decomposition& result) {
  return static_cast<std::size_t>(result.low_rank.shape().entries()) *
         size_of(parse_scalar_type(run.dtype).value_or(ScalarType::f64));
}

/// The heaviest weights: matrix methods have hundreds.
std::string heaviest(const Vector& weights) {
  constexpr Index shown = 20;
  if (weights.size() <= shown) return fmt::format("weights {:.4g}", fmt::join(weights, " "));
  const Vector first = weights.head(shown);
  return fmt::format("weights {:.4g} and {} more", fmt::join(first, " "), weights.size() - shown);
}

/// The slices that do not obey the model: "mode 0: 3 (far more noise, q = 1e-09)".
std::string bad_slices(const std::vector<FlaggedSlice>& flagged) {
  constexpr std::size_t shown = 20;
  std::string text;
  int mode = -1;
  for (std::size_t k = 0; k < std::min(flagged.size(), shown); ++k) {
    const FlaggedSlice& slice = flagged[k];
    text += slice.mode == mode ? ", " : fmt::format("{}mode {}: ", k > 0 ? "; " : "", slice.mode);
    text += fmt::format("{} ({}, q = {:.0e})", slice.index, slice.reason, slice.q);
    mode = slice.mode;
  }
  if (flagged.size() > shown) text += fmt::format(" and {} more", flagged.size() - shown);
  return text;
}

}  // namespace

void print_result(const RunDescription& run, const Decomposition& result, bool rank_chosen,
                  const std::string& output) {
  const Index observed = result.low_rank.shape().entries() - result.missing_count;
  const auto line = [](std::string_view name, const std::string& text) {
    fmt::print("  {:<12}{}\n", name, text);
  };
  fmt::print("{}\n", run.input);
  line("tensor", fmt::format("{}, {}, {} entries, {} missing", to_string(result.low_rank.shape()),
                             run.dtype, grouped_digits(result.low_rank.shape().entries()),
                             grouped_digits(result.missing_count)));
  line("method", fmt::format("{}, rank {}{}, seed {}", run.method, result.low_rank.rank(),
                             rank_chosen ? " (chosen)" : "", run.seed));
  if (rank_chosen && !result.ranks.reason.empty()) line("rank", result.ranks.reason);
  line("outcome",
       fmt::format("{} after {} pass{} over the data{}, {:.2f} s", to_string(result.outcome),
                   result.passes, result.passes == 1 ? "" : "es", sampled(result), result.seconds));
  if (result.bytes_read > 0) {
    line("read", fmt::format("{} bytes, {:.2f} times the file", grouped_digits(result.bytes_read),
                             static_cast<double>(result.bytes_read) /
                                 static_cast<double>(tensor_bytes(run, result))));
  }
  line("low rank",
       fmt::format("norm {:.6g}, {}", result.low_rank.norm(), heaviest(result.low_rank.weights())));
  line("sparse",
       fmt::format("{} entries, {:.3f}% of those observed, norm {:.6g}",
                   grouped_digits(result.sparse_count),
                   100.0 * static_cast<double>(result.sparse_count) / static_cast<double>(observed),
                   result.sparse_norm));
  line("certified", fmt::format("{}: {}", to_string(result.certificate.level),
                                with_dashes(result.certificate.explanation)));
  if (!result.flagged_slices.empty()) line("bad slices", bad_slices(result.flagged_slices));
  if (run.evaluation) {
    line("truth", fmt::format("relative error of L {:.2e}; support of S: precision {:.4f}, recall "
                              "{:.4f}; components matched {:.4f}",
                              run.evaluation->error_low_rank, run.evaluation->support.precision,
                              run.evaluation->support.recall,
                              fmt::join(run.evaluation->components.cosine, " ")));
  }
  line("written", output.empty()
                      ? "nothing (-o FOLDER keeps the factors, S and a report)"
                      : fmt::format("{} (open {} in a browser)", output,
                                    (std::filesystem::path(output) / "report.html").string()));
}

}  // namespace sunder::cli
