#pragma once
/// A verdict about a model rests on conditions: a numbered table that is evaluated in order. Each
/// kind of verdict has a table of its own, over evidence of its own.

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sunder/core/shape.hpp"

namespace sunder::robust {

/// What a condition found, with the figures for its sentence.
struct Check {
  enum class Result {
    passed,
    failed,
    not_checked,  ///< nobody could look, and the verdict does not depend on it
  };
  Result result = Result::passed;
  Index count = 0;  ///< slices, components, rows or entries; the condition says which
  Index of = 0;     ///< the number of all of them, where the sentence needs it

  static Check passes_if(bool holds) { return {holds ? Result::passed : Result::failed}; }
  /// Passes if nothing was counted that speaks against the model.
  static Check passes_if_none(Index count) {
    return {count == 0 ? Result::passed : Result::failed, count};
  }
  static Check fails(Index count, Index of) { return {Result::failed, count, of}; }
  static Check could_not_check() { return {Result::not_checked}; }

  bool operator==(const Check&) const = default;
};

/// What follows from a failure.
enum class OnFailure {
  reject,    ///< the model may be wrong, and another core is tried
  withhold,  ///< the model is kept, but without the verdict
};

template <class Evidence>
struct Condition {
  int number;
  std::string_view name;
  OnFailure on_failure;
  Check (*check)(Evidence&);
  std::string_view noun;  ///< what Check::count counts, in the singular
  std::string_view
      sentence;  ///< for the user if it fails: {counted} is "3 slices", or {count}, {of}
  std::string_view remark = {};  ///< for the user if it could not be checked
  std::string_view advice = {};  ///< added to the sentence if Check::count is below Check::of
};

/// A condition that does not hold.
struct Failure {
  int number;
  std::string_view name;
  OnFailure on_failure;
  Check check;
  std::string sentence;  ///< with its figures and the condition's number, without a full stop
};

struct Findings {
  std::optional<Failure> failure;  ///< the first one; later conditions were not evaluated
  std::string remarks;             ///< on conditions that could not be checked
};

/// The number and the noun: "1 slice", "3 slices".
inline std::string counted(Index count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

template <class Evidence>
Failure describe_failure(const Condition<Evidence>& condition, const Check& check) {
  const auto with_figures = [&](std::string_view text) {
    return fmt::format(fmt::runtime(text),
                       fmt::arg("counted", counted(check.count, condition.noun)),
                       fmt::arg("count", check.count), fmt::arg("of", check.of));
  };
  std::string words = with_figures(condition.sentence);
  if (check.count < check.of) words += with_figures(condition.advice);
  return {condition.number, condition.name, condition.on_failure, check,
          fmt::format("{} (condition {})", words, condition.number)};
}

/// Evaluates the conditions in the order of the table, up to the first that fails. The order is
/// also that of reads and random draws, so that it belongs to the result.
template <class Evidence>
Findings examine(std::span<const Condition<Evidence>> table, Evidence& evidence) {
  Findings findings;
  for (const Condition<Evidence>& condition : table) {
    const Check check = condition.check(evidence);
    if (check.result == Check::Result::failed) {
      findings.failure = describe_failure(condition, check);
      break;
    }
    if (check.result == Check::Result::not_checked) findings.remarks += condition.remark;
  }
  return findings;
}

}  // namespace sunder::robust
