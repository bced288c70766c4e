#include "report/report.hpp"

#include <fmt/format.h>

#include <string_view>

#include "report/html.hpp"
#include "report/run_figures.hpp"
#include "report/sections/report_parts.hpp"

namespace sunder {
namespace {

struct Badge {
  std::string_view css_class;
  std::string_view words;
  std::string_view sentence;
};

Badge describe(Outcome outcome) {
  switch (outcome) {
    case Outcome::converged:
      return {"good", "Converged", "The method met its stopping rule."};
    case Outcome::iteration_limit:
      return {
          "fair", "Stopped at the limit of passes",
          "The method reached the limit of passes before it met its stopping rule: a larger limit "
          "may improve the result."};
    case Outcome::time_limit:
      return {"fair", "Stopped at the time limit",
              "The time limit was reached before the stopping rule was met: this is the best that "
              "the method had found by then."};
    case Outcome::stalled:
      return {
          "fair", "Stalled",
          "The result no longer changes, but the stopping rule is not met: the data may not follow "
          "the model at this rank."};
    case Outcome::ambiguous:
      return {"fair", "Ambiguous",
              "Another low-rank part explains the data nearly as well as this one."};
    case Outcome::cancelled:
      break;
  }
  return {"fair", "Cancelled", "The run was cancelled; this is the state it had reached."};
}

Badge describe(Certified level) {
  switch (level) {
    case Certified::exact:
      return {"good", "Certified exact",
              "L fits so many entries of every slice to rounding that a wrong L could not do so "
              "by chance."};
    case Certified::consistent:
      return {
          "good", "Consistent with the data",
          "The data are noisy, so nothing can be exact, but there is evidence that the model is "
          "right."};
    case Certified::reproducible:
      return {"fair", "Reproducible",
              "The components come back from other starts and from parts of the data, but what is "
              "left shows that the model does not explain everything."};
    case Certified::none:
      break;
  }
  return {"plain", "Not certified",
          "This run alone does not show whether L and S are the true parts."};
}

std::string badge(const Badge& badge) {
  return fmt::format("<span class=\"badge {}\">{}</span>\n", badge.css_class, badge.words);
}

std::string key_figure(std::string_view name, std::string_view value) {
  const std::string_view css_class = value.size() > 16 ? " class=\"long\"" : "";
  return fmt::format("<div><dt>{}</dt><dd{}>{}</dd></div>\n", name, css_class, value);
}

std::string key_figures(const RunDescription& run, const Decomposition& result) {
  std::string out = "<dl>\n";
  out += key_figure("shape", html::extents(shape_of(result)));
  out += key_figure("rank of L", std::to_string(result.low_rank.rank()));
  out += key_figure("entries in S", html::percent(sparse_fraction(result)));
  out += key_figure("residual", html::number(final_residual(result)));
  if (run.evaluation) {
    out += key_figure("error of L", html::number(run.evaluation->error_low_rank));
  }
  out += key_figure("passes", html::count(result.passes));
  out += key_figure("time", html::number(result.seconds) + " s");
  return out + "</dl>\n";
}

std::string split_sentence(const Decomposition& result) {
  const Shape shape = shape_of(result);
  const int rank = result.low_rank.rank();
  const std::string missing =
      result.missing_count > 0
          ? fmt::format(", {} of them missing", html::count(result.missing_count))
          : "";
  const std::string components =
      rank == 0 ? "zero" : fmt::format("a sum of {} component{}", rank, rank == 1 ? "" : "s");
  return fmt::format(
      "<p>The tensor has {} entries{}. Its low-rank part L is {}; its sparse part S holds {} "
      "entr{}, {} of those observed.</p>\n",
      html::count(shape.entries()), missing, components, html::count(result.sparse_count),
      result.sparse_count == 1 ? "y" : "ies", html::percent(sparse_fraction(result)));
}

std::string norms_sentence(const Decomposition& result) {
  std::string out =
      fmt::format("<p>The norm of L is {}, and that of S is {}.",
                  html::number(result.low_rank.norm()), html::number(result.sparse_norm));
  if (!result.trace.empty()) {
    out += fmt::format(" L and S together leave {} of the data's norm unexplained.",
                       html::percent(final_residual(result)));
  }
  return out + "</p>\n";
}

std::string certificate_sentence(const Certificate& certificate) {
  const Badge words = describe(certificate.level);
  const std::string_view why = certificate.explanation;
  const std::string_view stop = why.empty() || why.ends_with('.') ? "" : ".";
  return fmt::format("<p><strong>{}.</strong> {}{}{}{}</p>\n", words.words, words.sentence,
                     why.empty() ? "" : " In detail: ", html::escape(why), stop);
}

std::string findings(const RunDescription& run, const Decomposition& result) {
  std::string out = "<h2>What was found</h2>\n" + split_sentence(result) + norms_sentence(result);
  out += fmt::format("<p>{}</p>\n", describe(result.outcome).sentence);
  out += certificate_sentence(result.certificate);
  if (run.evaluation) {
    const Evaluation& truth = *run.evaluation;
    out += fmt::format(
        "<p>Compared with the known truth, L is off by {} of its norm; {} of the entries of S are "
        "true, and {} of the true entries were found.</p>\n",
        html::number(truth.error_low_rank), html::percent(truth.support.precision),
        html::percent(truth.support.recall));
  }
  return out + "<p>Modes, indices and components are numbered from 0, as in the files.</p>\n";
}

std::string page_header(const RunDescription& run, const Decomposition& result) {
  return fmt::format(
      "<header>\n<p class=\"overline\">Low-rank and sparse part, by {}</p>\n<h1>{}</h1>\n{}{}"
      "</header>\n",
      html::escape(run.method), html::escape(run.input), badge(describe(result.outcome)),
      badge(describe(result.certificate.level)));
}

}  // namespace

std::string render_report(const RunDescription& run, const Decomposition& result,
                          const ReportPictures& pictures) {
  Page page(run.input + " – sunder");
  page.add_html(page_header(run, result));
  page.add_html(key_figures(run, result));
  page.add_html(findings(run, result));
  add_slices(page, pictures);
  if (pictures.slices) add_residuals(page, result, *pictures.slices);
  if (run.evaluation) add_truth(page, *run.evaluation);
  add_convergence(page, result);
  add_weights(page, result.low_rank);
  add_factors(page, result.low_rank, result.errors);
  add_sparse(page, result, !pictures.slices);
  add_noise_section(page, result);
  add_rank_section(page, result.ranks);
  add_options(page, run);
  add_loading(page, result);
  return page.render();
}

}  // namespace sunder
