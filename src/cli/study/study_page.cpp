#include "cli/study/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "report/figures/svg_figure.hpp"
#include "report/html.hpp"
#include "report/page.hpp"

namespace sunder::cli {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

using Cells = std::vector<CellSummary>;

template <class Value, class F>
std::vector<Value> distinct(const Cells& cells, F&& of) {
  std::vector<Value> values;
  for (const CellSummary& cell : cells) {
    const Value value = of(cell);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

template <class F>
Cells those(const Cells& cells, F&& keep) {
  Cells kept;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(kept), keep);
  return kept;
}

/// Draws one curve for each method, over the density.
template <class F>
std::vector<Curve> curves_of(const Cells& cells, F&& add) {
  std::vector<Curve> curves;
  for (const std::string& method :
       distinct<std::string>(cells, [](const CellSummary& c) { return c.method; })) {
    Curve curve;
    curve.name = label_of(method);
    curve.x.emplace_back();
    for (const CellSummary& cell : cells) {
      if (cell.method != method) continue;
      curve.x.front().push_back(cell.density);
      add(cell, curve);
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::string title_of(const CellSummary& cell) {
  return fmt::format("({}) rank {}, {}", cell.panel, cell.rank,
                     cell.support == Support::block ? "block corruption" : "scattered corruption");
}

/// The plots of errors and of times, one of each per panel.
struct PanelPlots {
  std::vector<Plot> errors;
  std::vector<Plot> times;
};

PanelPlots panel_plots(const Cells& cells) {
  PanelPlots plots;
  for (const std::string& name :
       distinct<std::string>(cells, [](const CellSummary& c) { return c.panel; })) {
    const Cells panel = those(cells, [&](const CellSummary& c) { return c.panel == name; });
    Plot error;
    error.title = title_of(panel.front());
    error.description = "Relative error of L over the share of corruption, " + error.title;
    error.x = {{.label = "d / n"}};
    error.y = {.label = "error of L", .log = true};
    error.spread = Spread::whiskers;
    error.curves = curves_of(panel, [](const CellSummary& cell, Curve& curve) {
      curve.y.push_back(cell.median_error);
      curve.low.push_back(cell.least_error);
      curve.high.push_back(cell.largest_error);
    });
    Plot time = error;
    time.description = "Time over the share of corruption, " + time.title;
    time.y = {.label = "seconds", .log = true};
    time.curves = curves_of(panel, [](const CellSummary& cell, Curve& curve) {
      curve.y.push_back(cell.median_seconds);
    });
    plots.errors.push_back(std::move(error));
    plots.times.push_back(std::move(time));
  }
  return plots;
}

/// Draws one plot for each rank.
std::vector<Plot> phase_plots(const Cells& cells) {
  std::vector<Plot> plots;
  for (const int rank : distinct<int>(cells, [](const CellSummary& c) { return c.rank; })) {
    const Cells row = those(cells, [&](const CellSummary& c) { return c.rank == rank; });
    Plot plot;
    plot.title = fmt::format("rank {}", rank);
    plot.description =
        "Share of recovered problems over the share of corrupted entries, " + plot.title;
    plot.x = {{.label = "share of corrupted entries"}};
    plot.y = {.label = "recovered"};
    plot.curves = curves_of(row, [](const CellSummary& cell, Curve& curve) {
      curve.y.push_back(static_cast<double>(cell.recovered) / std::max(cell.runs, 1));
    });
    plots.push_back(std::move(plot));
  }
  return plots;
}

CurvesData side_by_side(const std::string& label, std::vector<Plot> plots) {
  CurvesData data;
  data.choices = {{.label = label, .options = {}, .side_by_side = true}};
  for (const Plot& plot : plots) data.choices.front().options.push_back(plot.title);
  data.plots = std::move(plots);
  return data;
}

Cells panels_of(const Cells& cells) {
  return those(cells, [](const CellSummary& c) { return c.panel != "phase"; });
}

Cells phase_of(const Cells& cells) {
  return those(cells, [](const CellSummary& c) { return c.panel == "phase"; });
}

void add_panels(Page& page, const Cells& cells) {
  PanelPlots plots = panel_plots(cells);
  page.add_heading("Figure 1: error");
  page.add(side_by_side("panel", std::move(plots.errors)),
           "Median, smallest and largest of the runs.");
  page.add_heading("Figure 2: time");
  page.add(side_by_side("panel", std::move(plots.times)),
           "Median processor time of the runs, one thread each.");
}

void add_phase(Page& page, const Cells& cells) {
  page.add_heading("Where each method recovers");
  page.add(side_by_side("rank", phase_plots(cells)),
           "Share of the problems with an error of L below 1e-4.");
}

void add_activity(Page& page, const std::vector<ActivityRow>& rows) {
  page.add_heading("Figure 3: activity in video");
  TableData table{
      {"", "method", "outcome", "seconds", "passes", "share in S", "precision", "recall", "F"}, {}};
  for (const ActivityRow& row : rows) {
    table.rows.push_back({row.name, row.method, row.outcome, row.seconds,
                          static_cast<double>(row.passes), row.sparse_fraction, row.score.precision,
                          row.score.recall, row.score.f});
  }
  page.add(table, "The support of S compared with hand-made masks, over all pixels.");
}

void add_cells(Page& page, const Cells& cells) {
  TableData table{{"panel", "method", "rank", "support", "density", "runs", "recovered",
                   "median error", "largest error", "seconds"},
                  {}};
  for (const CellSummary& c : cells) {
    table.rows.push_back({c.panel, label_of(c.method), static_cast<double>(c.rank),
                          std::string(c.support == Support::block ? "block" : "uniform"), c.density,
                          static_cast<double>(c.runs), static_cast<double>(c.recovered),
                          c.median_error, c.largest_error, c.median_seconds});
  }
  page.add_folded("All cells as a table", table);
}

}  // namespace

std::string render_comparison(const std::string& input, const Comparison& comparison) {
  Page page("Comparison of methods");
  page.add_html(
      fmt::format("<h1>Comparison of methods</h1>\n<p>{}</p>\n<p><strong>{}</strong></p>\n",
                  html::escape(input), html::escape(comparison.advice)));
  TableData table{{"method", "outcome", "error of L", "held out", "certified", "share in S",
                   "passes", "seconds", "remark"},
                  {}};
  for (const ComparisonRow& row : comparison.rows) {
    table.rows.push_back({row.method, std::string(status_of(row)), row.error.value_or(unknown),
                          row.held_out.value_or(unknown), std::string(to_string(row.certified)),
                          row.sparse_fraction, static_cast<double>(row.passes), row.seconds,
                          row.message});
  }
  page.add(
      table,
      "Best method first. Held out: median |T - L| over median |T| on entries that were hidden "
      "from the methods.");
  return page.render();
}

std::string render_reproduction(const std::vector<CellSummary>& cells,
                                const std::vector<ActivityRow>& activity,
                                const std::optional<ImagesData>& pictures) {
  Page page("The paper's experiments");
  page.add_html("<h1>The paper's experiments, repeated</h1>\n<ul>\n");
  for (const std::string& sentence : claims(cells, activity)) {
    page.add_html(fmt::format("<li>{}</li>\n", html::escape(sentence)));
  }
  page.add_html("</ul>\n");
  const Cells panels = panels_of(cells);
  const Cells phase = phase_of(cells);
  if (!panels.empty()) add_panels(page, panels);
  if (!phase.empty()) add_phase(page, phase);
  if (!activity.empty()) add_activity(page, activity);
  if (pictures) page.add(*pictures, "Masks in colour over the frames.");
  if (!cells.empty()) add_cells(page, cells);
  return page.render();
}

ImagesData activity_pictures(const TensorView& clip, const FrameMasks& truth,
                             const std::vector<ActivityRow>& rows) {
  const Index height = clip.shape()[0];
  const Index width = clip.shape()[1];
  const auto every = [](Index count) {
    std::vector<Index> indices(count);
    std::iota(indices.begin(), indices.end(), Index{0});
    return indices;
  };
  ImageView view;
  view.frames = {"frame", clip.shape()[2], truth.frames};
  view.rows = {"row", height, every(height)};
  view.columns = {"column", width, every(width)};
  const auto add = [&](const std::string& name, Palette palette, double high, int over,
                       auto&& value) {
    ImageStack stack;
    stack.name = name;
    stack.palette = palette;
    stack.high = high;
    stack.over = over;
    for (std::size_t k = 0; k < truth.frames.size(); ++k) {
      for (Index p = 0; p < height * width; ++p) stack.values.push_back(value(k, p));
    }
    view.stacks.push_back(std::move(stack));
  };
  add("frame", Palette::grey, 255, -1, [&](std::size_t k, Index p) {
    return static_cast<float>(clip({p / width, p % width, truth.frames[k]}));
  });
  add("by hand", Palette::heat, 1, 0, [&](std::size_t k, Index p) {
    return truth.masks({p / width, p % width, static_cast<Index>(k)}) != 0 ? 1.0F : 0.0F;
  });
  for (const ActivityRow& row : rows) {
    add(row.name, Palette::heat, 1, 0,
        [&](std::size_t k, Index p) { return row.masks[k][p] != 0 ? 1.0F : 0.0F; });
  }
  return {"", {view}, 0, "grey levels"};
}

std::vector<FigureFile> figure_files(const std::vector<CellSummary>& cells) {
  std::vector<FigureFile> files;
  const auto add = [&](const std::string& prefix, const std::vector<Plot>& plots) {
    for (const Plot& plot : plots) {
      const std::string part = plot.title.starts_with("(")
                                   ? plot.title.substr(1, 1)
                                   : plot.title.substr(plot.title.find(' ') + 1);
      files.push_back({fmt::format("{}_{}.svg", prefix, part), svg_figure(plot)});
    }
  };
  const PanelPlots panels = panel_plots(panels_of(cells));
  add("fig1", panels.errors);
  add("fig2", panels.times);
  add("phase", phase_plots(phase_of(cells)));
  return files;
}

}  // namespace sunder::cli
