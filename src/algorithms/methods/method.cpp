#include "sunder/algorithms/method.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <functional>
#include <optional>

#include "algorithms/run/validation.hpp"
#include "engine/pass/pass.hpp"
#include "sunder/algorithms/accaltproj.hpp"
#include "sunder/algorithms/altproj.hpp"
#include "sunder/algorithms/horpca.hpp"
#include "sunder/algorithms/ircur.hpp"
#include "sunder/algorithms/pcp.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/algorithms/rtd.hpp"
#include "sunder/algorithms/rtd_als.hpp"
#include "sunder/algorithms/rtd_whiten.hpp"
#include "sunder/algorithms/shah.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

// The tables: every option of every method, once.

constexpr std::string_view shared_meaning =
    "modes that share one factor, as in 0,1; several groups as in 0,1/2,3";
constexpr std::string_view nonnegative_meaning =
    "modes whose factors have no negative entry, as in 0,2";

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

template <class Visitor>
void visit_options(RobustCpOptions& options, Visitor&& visit) {
  visit("core", options.core,
        "side of the sampled core, as if of order 3; it grows where the certificate fails");
  visit("max-read", options.max_read,
        "no further core once this many times the entries of T were sampled");
  visit("polish-passes", options.polish_passes, "passes that refine L where there is noise");
  visit("noise-width", options.noise_width,
        "with noise, S holds residuals of at least this many standard deviations");
  visit("symmetric", options.symmetric, "the tensor is symmetric: all modes share one factor");
  visit("shared", options.shared, shared_meaning);
  visit("nonnegative", options.nonnegative, nonnegative_meaning);
}

template <class Visitor>
void visit_options(AltProjOptions& options, Visitor&& visit) {
  visit("mu", options.mu, "incoherence in beta = 4 mu^2 r / sqrt(m n)");
  visit("reduction", options.reduction,
        "factor on beta each time the last stage stands still; 1: off");
  visit("tolerance", options.tolerance, "error of L to reach, relative to the norm of the matrix");
  visit("max-iterations", options.max_iterations,
        "alternations of projection and threshold, over all stages");
}

constexpr std::string_view flatten_mode_meaning =
    "the mode whose indices are the rows; all the others make the columns";

template <class Visitor>
void visit_options(AltProjFlatOptions& options, Visitor&& visit) {
  visit("flatten-mode", options.flatten_mode, flatten_mode_meaning);
  visit_options(options.matrix, visit);
}

template <class Visitor>
void visit_options(AltProjSliceOptions& options, Visitor&& visit) {
  visit("slice-modes", options.slice_modes, "the modes of a slice's rows and columns, as in 0,1");
  visit_options(options.matrix, visit);
}

template <class Visitor>
void visit_options(PcpOptions& options, Visitor&& visit) {
  visit("lambda", options.lambda, "weight of ||S||_1, in units of 1/sqrt(max(m, n))");
  visit("growth", options.growth, "rho: factor on the penalty mu for each iteration");
  visit("tolerance", options.tolerance, "||M - L - S|| / ||M|| at which the iteration ends");
  visit("max-iterations", options.max_iterations, "steps of the augmented Lagrangian method");
}

template <class Visitor>
void visit_options(PcpFlatOptions& options, Visitor&& visit) {
  visit("flatten-mode", options.flatten_mode,
        "the mode whose indices are the rows; all the others make the columns");
  visit_options(options.matrix, visit);
}

template <class Visitor>
void visit_options(PcpSliceOptions& options, Visitor&& visit) {
  visit("slice-modes", options.slice_modes, "the modes of a slice's rows and columns, as in 0,1");
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

template <class Visitor>
void visit_options(ShahOptions& options, Visitor&& visit) {
  visit("contract-mode", options.contract_mode, "the mode that the random contractions run along");
  visit("slices", options.slices, "slices in a contraction; 0: all, as in the paper");
  visit("nu", options.nu, "weight of the l1 norm, in units of 1 / sqrt(longer side)");
  visit("tolerance", options.tolerance, "relative residual at which a separation ends");
  visit("max-iterations", options.max_iterations, "for each of the two separations");
}

template <class T>
T parse(std::string_view option, std::string_view text);

template <>
bool parse(std::string_view option, std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw OptionError(fmt::format("--{} must be true or false, but is '{}'", option, text));
}

template <class T>
T parse(std::string_view option, std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw OptionError(fmt::format("--{} must be a {}, but is '{}'", option,
                                  std::is_integral_v<T> ? "whole number" : "number", text));
  }
  return value;
}

template <>
std::optional<double> parse(std::string_view option, std::string_view text) {
  if (text == "measured") return std::nullopt;
  return parse<double>(option, text);
}

using ModePair = std::array<int, 2>;

template <>
ModePair parse(std::string_view option, std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) {
    throw OptionError(fmt::format("--{} must be two modes, as in 0,1, but is '{}'", option, text));
  }
  return {parse<int>(option, text.substr(0, comma)), parse<int>(option, text.substr(comma + 1))};
}

/// The parts of a text between separators; "none" has none.
std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  if (text == "none") return parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

template <>
ModeList parse(std::string_view option, std::string_view text) {
  ModeList modes;
  for (const std::string_view mode : parts_of(text, ',')) {
    modes.push_back(parse<int>(option, mode));
  }
  return modes;
}

template <>
ModeGroups parse(std::string_view option, std::string_view text) {
  ModeGroups groups;
  for (const std::string_view group : parts_of(text, '/')) {
    groups.push_back(parse<ModeList>(option, group));
  }
  return groups;
}

template <class T>
std::string text_of(const T& value) {
  return fmt::format("{}", value);
}

std::string text_of(const ModePair& modes) { return fmt::format("{}", fmt::join(modes, ",")); }

std::string text_of(const ModeList& modes) {
  return modes.empty() ? "none" : fmt::format("{}", fmt::join(modes, ","));
}

std::string text_of(const ModeGroups& groups) {
  std::vector<std::string> texts;
  for (const ModeList& group : groups) texts.push_back(text_of(group));
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, "/"));
}

std::string text_of(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "measured";
}

double largest_entry(const TensorView& tensor, int threads) {
  const CpModel nothing = CpModel::zero(tensor.shape());
  return pass(tensor, {.model = &nothing, .data_statistics = true}, threads).statistics.data_max;
}

/// A method made of its options and a function.
template <class Options>
class MethodOf final : public Method {
 public:
  using Function = Decomposition (*)(const TensorView&, const RunOptions&, const Options&);

  using StoredFunction = Decomposition (*)(const StoredTensor&, const RunOptions&, const Options&);

  MethodOf(std::string_view name, std::string_view summary, Function function,
           StoredFunction stored_function)
      : name_(name), summary_(summary), function_(function), stored_function_(stored_function) {}

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return summary_; }

  std::vector<MethodOption> options() const override {
    std::vector<MethodOption> list;
    Options copy = options_;
    visit_options(copy, [&](std::string_view name, auto& field, std::string_view meaning) {
      list.push_back({std::string(name), text_of(field), std::string(meaning),
                      std::is_same_v<decltype(field), bool&>});
    });
    return list;
  }

  void set(std::string_view option, std::string_view value) override {
    bool found = false;
    std::vector<std::string> names;
    visit_options(options_, [&]<class T>(std::string_view name, T& field, std::string_view) {
      names.push_back(fmt::format("--{}", name));
      if (name != option) return;
      field = parse<T>(option, value);
      found = true;
    });
    if (!found && (option == "shared" || option == "nonnegative")) {
      throw OptionError(
          fmt::format("the method {} does not know --{}: use robust-cp or rtd-als", name_, option));
    }
    if (!found) {
      throw OptionError(fmt::format("--{} is not an option of {}, which has {}", option, name_,
                                    fmt::join(names, ", ")));
    }
  }

  Decomposition decompose(const TensorView& tensor, const RunOptions& run) const override {
    Decomposition result = function_(tensor, run, options_);
    // Of extreme entries, whose squares are zero or infinite, what a method finds is no answer.
    // One that takes stored tensors sees to it itself.
    if (!takes_stored() && result.outcome != Outcome::cancelled &&
        may_be_out_of_range(result.low_rank.norm())) {
      require_range(largest_entry(tensor, run.threads));
    }
    return result;
  }
  // What may take long, for tensors that take long to read, is what can also be interrupted.
  bool keeps_state() const override { return takes_stored(); }
  bool takes_stored() const override { return stored_function_ != nullptr; }
  Decomposition decompose(const StoredTensor& tensor, const RunOptions& run) const override {
    if (takes_stored()) return stored_function_(tensor, run, options_);
    throw InputError(
        fmt::format("{} needs the whole tensor in memory; use robust-cp, which does not", name_));
  }

 private:
  std::string_view name_;
  std::string_view summary_;
  Function function_;
  StoredFunction stored_function_;  ///< null where the whole tensor is needed
  Options options_;
};

template <class Options>
std::unique_ptr<Method> method(std::string_view name, std::string_view summary,
                               Decomposition (*function)(const TensorView&, const RunOptions&,
                                                         const Options&),
                               typename MethodOf<Options>::StoredFunction stored = nullptr) {
  return std::make_unique<MethodOf<Options>>(name, summary, function, stored);
}

std::vector<std::unique_ptr<Method>> all_methods() {
  std::vector<std::unique_ptr<Method>> methods;
  methods.push_back(method<RobustCpOptions>(
      "robust-cp", "exact recovery from a sampled core, certified by one read of the data",
      &robust_cp, &robust_cp));
  methods.push_back(method("rtd-als",
                           "the paper's RTD as its experiments ran it: CP-ALS and hard "
                           "thresholding in stages",
                           &rtd_als));
  methods.push_back(
      method("rtd", "Algorithm 1 of the paper with Procedure 1, for symmetric tensors", &rtd));
  methods.push_back(method("rtd-whiten-true",
                           "rtd-als with whitening by the true second moment (needs --truth)",
                           &rtd_whiten_true));
  methods.push_back(method("rtd-whiten-slice",
                           "rtd-als with whitening by the low-rank part of random slices",
                           &rtd_whiten_slice));
  methods.push_back(method("altproj-flat",
                           "matrix robust PCA by alternating projections, on a flattening",
                           &altproj_flat));
  methods.push_back(method("altproj-slice",
                           "matrix robust PCA by alternating projections, on every slice",
                           &altproj_slice));
  methods.push_back(
      method("pcp-flat", "convex matrix robust PCA (principal component pursuit), on a flattening",
             &pcp_flat));
  methods.push_back(method("pcp-slice",
                           "convex matrix robust PCA (principal component pursuit), on every slice",
                           &pcp_slice));
  methods.push_back(method(
      "horpca", "convex tensor robust PCA: nuclear norms of all unfoldings (HoRPCA-S)", &horpca));
  methods.push_back(method(
      "horpca-c", "tensor robust PCA with unfoldings of the given rank (HoRPCA-C)", &horpca_c));
  methods.push_back(method("accaltproj-flat",
                           "matrix robust PCA by accelerated alternating projections, on a "
                           "flattening",
                           &accaltproj_flat));
  methods.push_back(method("ircur-flat",
                           "matrix robust PCA from sampled rows and columns, on a flattening",
                           &ircur_flat));
  methods.push_back(method("shah",
                           "random contractions, convex separation and simultaneous "
                           "diagonalisation, for order 3",
                           &shah));
  return methods;
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

int parse_rank(std::string_view text) {
  if (text == "auto") return 0;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1) {
    throw OptionError(
        fmt::format("--rank must be a whole number of at least 1, or auto, but is '{}'", text));
  }
  return number;
}

}  // namespace sunder
