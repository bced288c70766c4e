#include "algorithms/robust_cp/certificate/certificate.hpp"

#include <array>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"

namespace sunder::robust {

namespace {

using enum OnFailure;

constexpr std::array<Condition<Evidence>, 14> conditions_for_exact{{
    {1, "The model is not empty", reject, conditions::model_not_empty, "component",
     "No component is supported by enough entries"},
    {2, "The fitted entries determine L", reject, conditions::fitted_entries_determine, "model",
     "Other models near this one fit the same entries of the core"},
    {3, "The fitted entries determine the signs", reject, conditions::signs_determined, "row",
     "The model fits the same entries of the core if some rows of its factors change their signs"},
    {4, "No component is lost", reject, conditions::no_component_lost, "component",
     "A component of the core was lost on the way to the whole tensor"},
    {5, "Every slice is fitted", reject, conditions::slices_fitted, "slice",
     "Too few entries are fitted to rounding in {counted}"},
    {6, "The entries bear out every component", reject, conditions::components_borne_out,
     "component", "The entries to which they contribute do not bear out {counted}"},
    {7, "Several entries determine every row", reject, conditions::directions_determined, "row",
     "A single entry decides about {counted} of the factors"},
    {8, "S has no proportional slices", reject, conditions::sparse_not_proportional, "component",
     "Slices of S are proportional to each other, as those of a further component are"},
    {9, "The search was completed", withhold, conditions::search_completed, "search",
     "The search for a model that fits more entries was not completed"},
    {10, "No other model fits as many entries", withhold, conditions::no_equal_model, "model",
     "{count} other models or rows fit about as many entries"},
    {11, "No component can hide in S", withhold, conditions::nothing_hides, "component",
     "S is dense in a part of the tensor, where a further component may hide among errors", "",
     ": ask for a `rank` of {count}, if L has all components"},
    {12, "The residuals are rounding", withhold, conditions::residuals_are_rounding, "entry",
     "The fitted entries have residuals that are larger than rounding: there is noise, however "
     "small, beside which a model of too few components can fit as well"},
    {13, "Every slice is known", withhold, conditions::slices_known, "slice",
     "Too few entries are known in {counted} where L is at work: leave these out of the tensor, "
     "and the rest can be certified"},
    {14, "Missing entries hide no component", withhold, conditions::missing_hide_nothing,
     "component",
     "L has only {count} of the {of} components asked for, and another may be where entries are "
     "missing: ask for a `rank` of {count}"},
}};

constexpr std::array<Condition<const PassStatistics>, 2> conditions_for_zero{{
    {1, "Every entry is zero", reject, conditions::every_entry_zero, "entry",
     "The tensor has entries that are not zero"},
    {2, "No entry is missing", withhold, conditions::nothing_missing, "missing value",
     "Nothing is known about {counted}"},
}};

/// What the figures are, whatever the verdict.
std::string statement(Evidence& evidence) {
  const SliceEvidence& slices = evidence.slices();
  std::string words = fmt::format(
      "In every slice{}, at least {:.1f}% of the entries are fitted to rounding by a model that "
      "they overdetermine.",
      slices.unknown > 0 ? " that is known" : "", 100 * slices.weakest_share);
  if (evidence.fit().statistics.rejected > 0) {
    words += fmt::format(
        " The search found no other row, no component on a box of at least {:.0f} rows in every "
        "mode, and no exchange of components that fits more entries.",
        evidence.search().box_side);
    if (evidence.components() < evidence.asked().rank) {
      words += fmt::format(
          " L has {} of the {} components asked for: others may be at work on a few entries of S, "
          "of which any are fitted by a component of their own.",
          evidence.components(), evidence.asked().rank);
    }
  }
  if (evidence.core().determinacy == Determinacy::open_factors) {
    words += " Other factors give the same L.";
  }
  return words;
}

std::string statement(const PassStatistics& /*data*/) {
  return "Every entry that is known is zero, and so is L.";
}

/// The only place in the program that says `exact`: every condition of the table holds.
template <class AnyEvidence>
Judgement judge(std::span<const Condition<AnyEvidence>> table, AnyEvidence& evidence) {
  Findings findings = examine(table, evidence);
  Judgement judgement{{}, std::move(findings.failure)};
  if (judgement.rejects()) return judgement;
  Certificate& certificate = judgement.certificate;
  certificate.explanation = statement(evidence) + findings.remarks;
  if (judgement.failure) {
    certificate.explanation += fmt::format(" {}.", judgement.failure->sentence);
  } else {
    certificate.level = Certified::exact;
  }
  return judgement;
}

}  // namespace

std::span<const Condition<Evidence>> exact_conditions() { return conditions_for_exact; }

std::span<const Condition<const PassStatistics>> zero_conditions() { return conditions_for_zero; }

Judgement judge_exact(Evidence& evidence) { return judge(exact_conditions(), evidence); }

Judgement judge_zero(const PassStatistics& data) { return judge(zero_conditions(), data); }

}  // namespace sunder::robust
