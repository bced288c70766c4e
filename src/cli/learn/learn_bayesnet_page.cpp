#include "cli/learn/learn_bayesnet_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figures/loading_graph.hpp"
#include "report/html.hpp"
#include "report/page.hpp"

namespace sunder::cli {

namespace {

constexpr Index most_variables = 200;  // variables in a picture
constexpr Index most_networks = 60;

/// Tabulates w in the units of the data: the variance of each hidden variable, with unit columns of
/// U.
TableData variances(const BayesNetPage& about, const CpModel& model) {
  TableData table;
  table.columns = {"network"};
  for (int l = 0; l < model.rank(); ++l) table.columns.push_back(fmt::format("h{}", l));
  for (Index k = 0; k < model.factor(2).rows(); ++k) {
    std::vector<TableCell> row = {about.names[k]};
    for (Index l = 0; l < model.rank(); ++l) {
      row.emplace_back(model.weights()[l] * model.factor(2)(k, l));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

CurvesData loadings(const CpModel& model) {
  Plot plot;
  plot.description = "Loadings of each variable on each hidden variable";
  plot.x = {{.label = "variable", .integer = true}};
  plot.y = {.label = "loading"};
  for (Index l = 0; l < model.rank(); ++l) {
    Curve curve;
    curve.name = fmt::format("h{}", l);
    const Vector column = model.factor(0).col(l);
    curve.y.assign(column.begin(), column.end());
    plot.curves.push_back(std::move(curve));
  }
  return {{}, {plot}};
}

/// Shows Sigma off its diagonal as correlations, where the noise variances are positive.
ImagesData noise_pictures(const SparseTensor& noise) {
  const Index p = std::min(noise.shape()[0], most_variables);
  const Index K = std::min(noise.shape()[2], most_networks);
  Matrix variance = Matrix::Zero(p, K);
  const auto shown = [&](const ModeIndices& at) { return at[0] < p && at[1] < p && at[2] < K; };
  for (Index e = 0; e < noise.count(); ++e) {
    const ModeIndices at = noise.coordinates(e);
    if (shown(at) && at[0] == at[1]) {
      variance(at[0], at[2]) = noise.values()[e];
    }
  }
  ImageStack stack;
  stack.name = "correlation of the noise";
  stack.low = -1;
  stack.high = 1;
  stack.values.assign(p * p * K, 0.0F);
  for (Index e = 0; e < noise.count(); ++e) {
    const ModeIndices at = noise.coordinates(e);
    if (!shown(at) || at[0] == at[1]) continue;
    const double scale = variance(at[0], at[2]) * variance(at[1], at[2]);
    const double value = noise.values()[e];
    stack.values[(at[2] * p + at[0]) * p + at[1]] =
        static_cast<float>(std::clamp(scale > 0 ? value / std::sqrt(scale) : 0.0, -1.0, 1.0));
  }
  const auto axis = [](const char* label, Index extent, Index count) {
    ImageAxis one{label, extent, {}};
    for (Index i = 0; i < count; ++i) one.indices.push_back(i);
    return one;
  };
  ImageView view;
  view.frames = axis("network", noise.shape()[2], K);
  view.rows = axis("variable", noise.shape()[0], p);
  view.columns = axis("variable", noise.shape()[1], p);
  view.stacks = {std::move(stack)};
  return {"", {view}, 0, "correlation"};
}

void add_errors(Page& page, const BayesNetErrors& errors) {
  const BayesNetScore& score = errors.score;
  page.add_html(fmt::format(
      "<p>Compared with the truth: relative error of U {}{}, of w {}, of L {}; support of Sigma "
      "off the diagonal: precision {:.4f}, recall {:.4f}.</p>\n",
      html::number(score.error_loadings),
      errors.error_known_noise
          ? fmt::format(" ({} if Sigma were known)", html::number(*errors.error_known_noise))
          : "",
      html::number(score.error_variances), html::number(score.error_low_rank),
      score.noise.precision, score.noise.recall));
}

}  // namespace

std::string render_bayesnet(const BayesNetPage& about, const BayesNet& net) {
  const Decomposition& parts = net.parts;
  Page page("Linear Bayesian networks");
  page.add_html(fmt::format(
      "<h1>Linear Bayesian networks</h1>\n<p>{}</p>\n<p><strong>{} networks of {} variables share "
      "{} hidden ones; {} pairs of variables have correlated noise.</strong></p>\n",
      html::escape(about.input), parts.sparse.shape()[2], parts.sparse.shape()[0],
      parts.low_rank.rank(), html::count(net.noise_edges)));
  page.add_html(fmt::format("<p>Certified {}: {}.</p>\n", to_string(parts.certificate.level),
                            html::escape(parts.certificate.explanation)));
  if (net.negative_noise > 0) {
    page.add_html(fmt::format(
        "<p class=\"note\">{} variances of the noise came out negative: the hidden variables "
        "explain more than the whole variance. Try fewer of them.</p>\n",
        net.negative_noise));
  }
  if (about.errors) add_errors(page, *about.errors);
  page.add_heading("Graph");
  page.add_html(loading_graph_svg(parts.low_rank));
  page.add_html(
      "<p>Wider lines mean larger loadings, and dashes mark negative ones. Loadings below "
      "30 % of the largest of their hidden variable are not drawn.</p>\n");
  page.add_heading("Loadings");
  page.add(loadings(parts.low_rank), "The columns of U, which have unit length.");
  page.add_heading("Variances of the hidden variables");
  page.add(variances(about, parts.low_rank),
           "The variances in each network, for columns of U of unit length.");
  page.add_heading("Noise");
  page.add(noise_pictures(parts.sparse), "The off-diagonal entries of Sigma that are not zero.");
  return page.render();
}

}  // namespace sunder::cli
