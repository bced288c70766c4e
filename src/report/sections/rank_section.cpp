#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.hpp"
#include "report/sections/report_parts.hpp"

namespace sunder {
namespace {

TableCell cell(double x) { return std::isfinite(x) ? TableCell(x) : TableCell(std::string("–")); }

TableData table_of(const RankStudy& study, double shortest) {
  TableData table{{"rank", "description, nats more than the shortest", "core consistency, %",
                   "starts agree", "halves agree", "held out, nats", "blocks", "errors", "noise"},
                  {}};
  for (const RankRecord& record : study.records) {
    table.rows.push_back({static_cast<double>(record.rank), cell(record.description - shortest),
                          cell(record.consistency), cell(record.agreement), cell(record.halves),
                          cell(record.held_out), static_cast<double>(record.boxes),
                          cell(record.outlier_share), cell(record.sigma)});
  }
  return table;
}

template <class Of>
Plot plot_of(const RankStudy& study, const std::string& title, const std::string& label, Of&& of) {
  Plot plot;
  plot.title = title;
  plot.description = title + " over the number of components";
  plot.x = {{.label = "components", .integer = true}};
  plot.y = {.label = label};
  Curve curve{.name = "", .x = {{}}, .y = {}, .low = {}, .high = {}};
  for (const RankRecord& record : study.records) {
    curve.x[0].push_back(record.rank);
    curve.y.push_back(of(record));
  }
  plot.curves = {std::move(curve)};
  plot.marks = {{static_cast<double>(study.recommended), "recommended"}};
  return plot;
}

CurvesData figure_of(const RankStudy& study, double shortest) {
  CurvesData data;
  data.plots = {
      plot_of(study, "Description length", "nats more than the shortest",
              [&](const RankRecord& r) { return r.description - shortest; }),
      plot_of(study, "Core consistency", "percent",
              [](const RankRecord& r) { return std::max(r.consistency, -100.0); }),
      plot_of(study, "Two starts agree", "least cosine of components",
              [](const RankRecord& r) { return r.agreement; }),
  };
  data.choices = {{.label = "figure", .options = {}, .side_by_side = true}};
  for (const Plot& plot : data.plots) data.choices.front().options.push_back(plot.title);
  return data;
}

}  // namespace

void add_rank_section(Page& page, const RankStudy& study) {
  if (study.records.empty()) return;
  double shortest = study.records.front().description;
  for (const RankRecord& record : study.records) {
    shortest = std::min(shortest, record.description);
  }
  page.add_heading("How many components");
  page.add_html(fmt::format("<p>Recommended: <strong>{}</strong>. {}</p>\n", study.recommended,
                            html::escape(study.reason)));
  page.add(figure_of(study, shortest),
           "Each rank was fitted to a part of the tensor, from several starts.");
  page.add(table_of(study, shortest),
           "A shorter description is better. Core consistency near 100 says that the components "
           "form a CP model; what noise takes off is given back. Blocks of errors look like "
           "components, and do not count.");
}

}  // namespace sunder
