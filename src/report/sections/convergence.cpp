#include <algorithm>
#include <numeric>

#include "report/figures/envelope.hpp"
#include "report/sections/report_parts.hpp"

namespace sunder {
namespace {

constexpr std::size_t max_curve_points = 400;
constexpr std::size_t max_table_rows = 500;

using Trace = std::vector<TraceRecord>;

template <class F>
std::vector<double> column(const Trace& trace, F&& of) {
  std::vector<double> values;
  for (const TraceRecord& record : trace) values.push_back(static_cast<double>(of(record)));
  return values;
}

// The x axes of the plot: the number of a record, passes, and time.
std::vector<std::vector<double>> abscissas(const Trace& trace) {
  std::vector<double> numbers(trace.size());
  std::iota(numbers.begin(), numbers.end(), 1.0);
  return {numbers, column(trace, [](const TraceRecord& record) { return record.pass; }),
          column(trace, [](const TraceRecord& record) { return record.seconds; })};
}

Curve curve(const Trace& trace, std::string name, double TraceRecord::*field) {
  const std::vector<double> y =
      column(trace, [field](const TraceRecord& record) { return record.*field; });
  const std::vector<std::size_t> places = envelope(y, max_curve_points);
  Curve out{.name = std::move(name), .x = {}, .y = picked(y, places), .low = {}, .high = {}};
  for (const std::vector<double>& x : abscissas(trace)) out.x.push_back(picked(x, places));
  return out;
}

TableData records(const Trace& trace) {
  TableData table{{"record", "stage", "passes", "change of L", "kept residual", "threshold",
                   "share in S", "entries sampled", "seconds"},
                  {}};
  const std::size_t first = trace.size() - std::min(trace.size(), max_table_rows);
  for (std::size_t k = first; k < trace.size(); ++k) {
    const TraceRecord& record = trace[k];
    table.rows.push_back({static_cast<double>(k + 1), record.stage,
                          static_cast<double>(record.pass), record.change, record.kept_residual,
                          record.threshold, record.sparse_fraction,
                          static_cast<double>(record.entries_sampled), record.seconds});
  }
  return table;
}

}  // namespace

void add_convergence(Page& page, const Decomposition& result) {
  page.add_heading("Convergence");
  if (result.trace.empty()) {
    page.add_html("<p>The method recorded no iterations.</p>\n");
    return;
  }
  Plot plot;
  plot.description = "Change of L, kept residual, threshold and share in S over the run";
  plot.x = {{.label = "record", .integer = true},
            {.label = "passes over the data", .integer = true},
            {.label = "seconds"}};
  plot.y = {.label = "", .log = true};
  plot.curves = {curve(result.trace, "change of L (relative)", &TraceRecord::change),
                 curve(result.trace, "kept residual (relative)", &TraceRecord::kept_residual),
                 curve(result.trace, "threshold (units of the data)", &TraceRecord::threshold),
                 curve(result.trace, "share of the entries in S", &TraceRecord::sparse_fraction)};
  page.add(
      CurvesData{{}, {plot}},
      "Change of L: the change from one record to the next, over the norm of L. Kept residual: "
      "the norm of the part that L and S leave unexplained, over the norm of the data. "
      "Threshold: residuals of this size or larger go to S. Values of 0 have no place on the "
      "log axis.");
  const bool all = result.trace.size() <= max_table_rows;
  page.add_folded(all ? "The records as a table" : "The last records as a table",
                  records(result.trace));
}

}  // namespace sunder
