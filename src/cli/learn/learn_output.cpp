#include "cli/learn/learn_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/html.hpp"
#include "report/page.hpp"
#include "sunder/io/npy.hpp"

namespace sunder::cli {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t most_named = 10;  // variables named in a sentence
constexpr Index most_drawn = 5000;      // points of the map

/// Plots the strength of every variable; for very many, the largest in each stretch.
CurvesData corruption_map(const LearnPage& about, const LearnedVariables& variables) {
  const Index n = variables.strength.size();
  const Index stretch = std::max<Index>(1, (n + most_drawn - 1) / most_drawn);
  Curve curve;
  curve.x.resize(1);
  for (Index begin = 0; begin < n; begin += stretch) {
    const Index size = std::min(stretch, n - begin);
    curve.x[0].push_back(static_cast<double>(begin));
    curve.y.push_back(variables.strength.segment(begin, size).maxCoeff());
  }
  curve.filled = true;
  Plot plot;
  plot.description = "Strength of the corruption of each " + about.variable;
  plot.x = {{.label = about.variable, .integer = true}};
  plot.y = {.label = "strength"};
  plot.curves = {curve};
  return {{}, {plot}};
}

TableData corrupted_table(const LearnPage& about, const LearnedVariables& variables) {
  TableData table;
  table.columns = {about.variable, "number", "strength"};
  for (const Index i : variables.corrupted) {
    table.rows.push_back({variables.name(i), static_cast<double>(i), variables.strength[i]});
  }
  return table;
}

}  // namespace

std::string LearnedVariables::name(Index variable) const {
  return names.empty() ? fmt::format("{}", variable) : names[variable];
}

void describe_fit(Json& summary, const MomentModel& fit, const LearnedVariables& variables) {
  summary["outcome"] = to_string(fit.outcome);
  summary["certificate"] = {{"level", to_string(fit.certificate.level)},
                            {"explanation", fit.certificate.explanation}};
  summary["residual"] = fit.residual;
  summary["corrupted_entries_second"] = fit.corrupted_second;
  summary["corrupted_entries_third"] = fit.corrupted_third;
  summary["corrupted"] = Json::array();
  for (const Index i : variables.corrupted) {
    summary["corrupted"].push_back(
        {{"index", i}, {"name", variables.name(i)}, {"strength", variables.strength[i]}});
  }
}

void describe_flags(Json& summary, const std::vector<Index>& found,
                    const std::vector<Index>& truth) {
  const auto common = std::count_if(found.begin(), found.end(), [&](Index i) {
    return std::find(truth.begin(), truth.end(), i) != truth.end();
  });
  const auto share = [&](std::size_t of) {
    return of == 0 ? 1.0 : static_cast<double>(common) / static_cast<double>(of);
  };
  summary["corrupted_precision"] = share(found.size());
  summary["corrupted_recall"] = share(truth.size());
}

void write_corrupted(const std::string& path, const LearnedVariables& variables) {
  Matrix rows(std::ssize(variables.corrupted), 2);
  for (Index k = 0; k < rows.rows(); ++k) {
    const Index variable = variables.corrupted[k];
    rows(k, 0) = static_cast<double>(variable);
    rows(k, 1) = variables.strength[variable];
  }
  write_npy(path, rows);
}

std::string render_learned(const LearnPage& about, const MomentModel& fit,
                           const LearnedVariables& variables) {
  Page page(about.title);
  page.add_html(fmt::format("<h1>{}</h1>\n<p>{}</p>\n<p><strong>{}</strong></p>\n",
                            html::escape(about.title), html::escape(about.input),
                            html::escape(about.verdict)));
  page.add_html(fmt::format("<p class=\"note\">Certificate: {}; {}</p>\n",
                            to_string(fit.certificate.level),
                            html::escape(fit.certificate.explanation)));
  page.add_heading("Components");
  page.add(about.components, html::escape(about.components_note));
  page.add_heading("Corruption");
  page.add(
      corruption_map(about, variables),
      fmt::format(
          "Norm of the part of a {}'s moments that the model does not explain, over that of the "
          "model.",
          html::escape(about.variable)));
  if (!variables.corrupted.empty()) page.add(corrupted_table(about, variables));
  return page.render();
}

std::string corruption_sentence(const LearnedVariables& variables, const std::string& variable) {
  std::string text = fmt::format("{} of {} {}s are corrupted", variables.corrupted.size(),
                                 grouped_digits(variables.strength.size()), variable);
  for (std::size_t k = 0; k < std::min(most_named, variables.corrupted.size()); ++k) {
    const Index i = variables.corrupted[k];
    text += fmt::format("{}{} ({:.2g})", k == 0 ? ": " : ", ", variables.name(i),
                        variables.strength[i]);
  }
  if (variables.corrupted.size() > most_named) text += ", ...";
  return text;
}

ExitCode exit_code(const MomentModel& fit) {
  return fit.outcome == Outcome::converged ? done : did_not_converge;
}

}  // namespace sunder::cli
