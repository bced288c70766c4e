#include "sunder/algorithms/method.hpp"

#include "algorithms/methods/method_of.hpp"
#include "algorithms/run/validation.hpp"
#include "engine/pass/pass.hpp"

namespace sunder {

void require_range_of(const TensorView& tensor, int threads, const Decomposition& result) {
  if (result.outcome == Outcome::cancelled) return;
  if (!may_be_out_of_range(result.low_rank.norm())) return;
  const CpModel nothing = CpModel::zero(tensor.shape());
  require_range(
      pass(tensor, {.model = &nothing, .data_statistics = true}, threads).statistics.data_max);
}

void refuse_option(std::string_view method, std::string_view option,
                   const std::vector<std::string>& names) {
  if (option == "shared" || option == "nonnegative") {
    throw OptionError(
        fmt::format("the method {} does not know `{}`: use robust-cp or rtd-als", method, option));
  }
  throw OptionError(fmt::format("`{}` is not an option of {}, which has `{}`", option, method,
                                fmt::join(names, "`, `")));
}

namespace {

MethodList all_methods() {
  MethodList list;
  add_robust_cp(list);
  add_paper_methods(list);
  add_altproj(list);
  add_convex_methods(list);
  add_sampled_and_accelerated(list);
  add_shah(list);
  return list;
}

}  // namespace

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto& method : all_methods()) names.emplace_back(method->name());
  return names;
}

std::unique_ptr<Method> make_method(std::string_view name) {
  for (auto& method : all_methods()) {
    if (method->name() == name) return std::move(method);
  }
  throw OptionError(fmt::format("there is no method '{}': choose one of {}", name,
                                fmt::join(method_names(), ", ")));
}

std::vector<MethodOption> run_option_table() {
  const RunOptions run;
  return {{"rank", "auto", "number of components of L, or auto, where the method can choose it"},
          {"seed", option_text(run.seed), "seed of the random starts"},
          {"threads", option_text(run.threads),
           "threads; 0: one for each processor; the result does not depend on it"},
          {"max-seconds", option_text(run.max_seconds),
           "time after which the best result so far is given; 0: no limit"}};
}

SmoothModes parse_smooth(std::string_view text) {
  return parse_option<SmoothModes>("smooth", text);
}

int parse_rank(std::string_view text) {
  if (text == "auto") return 0;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1) {
    refuse_value("rank", "a whole number of at least 1, or auto", text);
  }
  return number;
}

}  // namespace sunder
