#pragma once
/// A method made of its options and its functions.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/methods/option_text.hpp"
#include "algorithms/run/abilities.hpp"
#include "sunder/algorithms/method.hpp"

namespace sunder {

/// Throws InputError if L is the result of entries whose squares are zero or infinite.
void require_range_of(const TensorView& tensor, int threads, const Decomposition& result);

/// Throws OptionError for an option that is none of the method's.
[[noreturn]] void refuse_option(std::string_view method, std::string_view option,
                                const std::vector<std::string>& names);

/// The table of the options is the function visit_options(options, visit), which calls
/// visit(name, field, meaning) for each of them.
template <class Options>
class MethodOf final : public Method {
 public:
  using Function = Decomposition (*)(const TensorView&, const RunOptions&, const Options&);
  using StoredFunction = Decomposition (*)(const StoredTensor&, const RunOptions&, const Options&);

  /// Every part but the last two is needed; without `stored_function` the method needs the whole
  /// tensor in memory.
  struct Parts {
    std::string_view name;
    std::string_view summary;
    Function function = nullptr;
    StoredFunction stored_function = nullptr;
    MethodAbilities abilities = {};
  };
  explicit MethodOf(Parts parts) : parts_(std::move(parts)) {
    parts_.abilities.stored = parts_.stored_function != nullptr;
    parts_.abilities.sentence = sentence_of(parts_.name, parts_.abilities);
  }

  std::string_view name() const override { return parts_.name; }
  std::string_view summary() const override { return parts_.summary; }
  MethodAbilities abilities() const override { return parts_.abilities; }

  std::vector<MethodOption> options() const override {
    std::vector<MethodOption> list;
    Options copy = options_;
    visit_options(copy, [&](std::string_view name, auto& field, std::string_view meaning) {
      list.push_back({std::string(name), option_text(field), std::string(meaning),
                      std::is_same_v<decltype(field), bool&>});
    });
    return list;
  }

  void set(std::string_view option, std::string_view value) override {
    bool found = false;
    std::vector<std::string> names;
    visit_options(options_, [&]<class T>(std::string_view name, T& field, std::string_view) {
      names.emplace_back(name);
      if (name != option) return;
      field = parse_option<T>(option, value);
      found = true;
    });
    if (!found) refuse_option(parts_.name, option, names);
  }

  Decomposition decompose(const TensorView& tensor, const RunOptions& run) const override {
    require_heeded(parts_.name, parts_.abilities, run);
    Decomposition result = parts_.function(tensor, run, options_);
    // A method that takes stored tensors checks their range itself.
    if (!parts_.abilities.stored) require_range_of(tensor, run.threads, result);
    return result;
  }

  Decomposition decompose(const StoredTensor& tensor, const RunOptions& run) const override {
    require_heeded(parts_.name, parts_.abilities, run);
    if (!parts_.abilities.stored) throw InputError(parts_.abilities.sentence);
    return parts_.stored_function(tensor, run, options_);
  }

 private:
  Parts parts_;
  Options options_;
};

using MethodList = std::vector<std::unique_ptr<Method>>;

template <class Options>
void add_method(MethodList& list, typename MethodOf<Options>::Parts parts) {
  list.push_back(std::make_unique<MethodOf<Options>>(std::move(parts)));
}

// The families, in the order in which methods are listed.
void add_robust_cp(MethodList& list);
void add_paper_methods(MethodList& list);
void add_altproj(MethodList& list);
void add_convex_methods(MethodList& list);
void add_sampled_and_accelerated(MethodList& list);
void add_shah(MethodList& list);

/// The mode whose indices are the rows of a flattening, and the two modes of a slice.
inline constexpr std::string_view flatten_mode_meaning =
    "the mode whose indices are the rows; all the others make the columns";
inline constexpr std::string_view slice_modes_meaning =
    "the modes of a slice's rows and columns, as in 0,1";
inline constexpr std::string_view shared_meaning =
    "modes that share one factor, as in 0,1; several groups as in 0,1/2,3";
inline constexpr std::string_view smooth_meaning =
    "modes along which neighbouring rows are alike, as in 1,2, none, or auto (the data decide); it "
    "matters where gaps leave rows with few entries";
inline constexpr std::string_view nonnegative_meaning =
    "modes whose factors have no negative entry, as in 0,2";

}  // namespace sunder
