// Notation: U  loadings, p x r, the first factor of the model
#include "report/figures/loading_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

namespace sunder {

namespace {

constexpr double row_height = 15;
constexpr double margin = 30;
constexpr double hidden_x = 90;
constexpr double observed_x = 430;
constexpr double width = 520;

constexpr std::array<const char*, 6> colours = {"#0b6b73", "#c0501a", "#6a55a4",
                                                "#7a6a10", "#a8326e", "#3c6db0"};

template <class... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// Returns the hidden variable with the strongest effect on each observed one.
std::vector<Index> strongest(const Matrix& U) {
  std::vector<Index> result(U.rows(), 0);
  for (Index i = 0; i < U.rows() && U.cols() > 0; ++i) {
    U.row(i).cwiseAbs().maxCoeff(&result[i]);
  }
  return result;
}

/// The height of each observed variable, grouped by hidden variable, and of each hidden variable in
/// the middle of its group.
struct Places {
  std::vector<double> observed;
  std::vector<double> hidden;
};
Places places_of(const Matrix& U) {
  const std::vector<Index> owner = strongest(U);
  std::vector<std::size_t> order(owner.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return owner[a] < owner[b]; });
  Places places;
  places.observed.resize(owner.size());
  for (std::size_t row = 0; row < order.size(); ++row) {
    places.observed[order[row]] = margin + row_height * static_cast<double>(row);
  }
  const double height = row_height * static_cast<double>(owner.size());
  for (Index l = 0; l < U.cols(); ++l) {
    places.hidden.push_back(margin + height * (static_cast<double>(l) + 0.5) /
                                         static_cast<double>(U.cols()));
  }
  return places;
}

void draw_edges(std::string& out, const Matrix& U, const Places& places, double least) {
  for (Index l = 0; l < U.cols(); ++l) {
    const double largest = U.col(l).cwiseAbs().maxCoeff();
    for (Index i = 0; i < U.rows(); ++i) {
      const double share = largest > 0 ? std::abs(U(i, l)) / largest : 0;
      if (share < least || share == 0) continue;
      append(out,
             "<line x1=\"{:.0f}\" y1=\"{:.1f}\" x2=\"{:.0f}\" y2=\"{:.1f}\" stroke=\"{}\" "
             "stroke-width=\"{:.2f}\"{}><title>{:.3g}</title></line>\n",
             hidden_x, places.hidden[l], observed_x, places.observed[i],
             colours[static_cast<std::size_t>(l) % colours.size()], 3 * share,
             U(i, l) < 0 ? " stroke-dasharray=\"5 3\"" : "", U(i, l));
    }
  }
}

void key(std::string& out, const char* id, const char* of, const char* name, const char* type) {
  append(out, "  <key id=\"{}\" for=\"{}\" attr.name=\"{}\" attr.type=\"{}\"/>\n", id, of, name,
         type);
}

/// Counts the networks in which the noise of a pair is correlated.
std::map<std::pair<Index, Index>, Index> noise_pairs(const SparseTensor& noise) {
  std::map<std::pair<Index, Index>, Index> pairs;
  for (Index e = 0; e < noise.count(); ++e) {
    const ModeIndices at = noise.coordinates(e);
    if (at[0] < at[1]) ++pairs[{at[0], at[1]}];
  }
  return pairs;
}

}  // namespace

std::string loading_graph_svg(const CpModel& low_rank, double least) {
  const Matrix& U = low_rank.factor(0);
  const Places places = places_of(U);
  const double height = 2 * margin + row_height * static_cast<double>(U.rows());
  std::string out;
  append(out,
         "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
         "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"11\" "
         "role=\"img\">\n<title>Hidden variables and what they act on</title>\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
         width, height);
  draw_edges(out, U, places, least);
  for (Index l = 0; l < U.cols(); ++l) {
    const double y = places.hidden[l];
    append(out,
           "<circle cx=\"{:.0f}\" cy=\"{:.1f}\" r=\"11\" fill=\"{}\"/>\n"
           "<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\">h{}</text>\n",
           hidden_x, y, colours[static_cast<std::size_t>(l) % colours.size()], hidden_x - 18, y + 4,
           l);
  }
  for (Index i = 0; i < U.rows(); ++i) {
    const double y = places.observed[i];
    append(out,
           "<circle cx=\"{:.0f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#444\"/>\n"
           "<text x=\"{:.0f}\" y=\"{:.1f}\">x{}</text>\n",
           observed_x, y, observed_x + 10, y + 4, i);
  }
  return out + "</svg>\n";
}

std::string loading_graph_graphml(const CpModel& low_rank, const SparseTensor& noise) {
  const Matrix& U = low_rank.factor(0);
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  key(out, "kind", "all", "kind", "string");
  key(out, "loading", "edge", "loading", "double");
  key(out, "networks", "edge", "networks", "int");
  out += "  <graph edgedefault=\"directed\">\n";
  const auto node = [&](char letter, Index i, const char* kind) {
    append(out, "    <node id=\"{}{}\"><data key=\"kind\">{}</data></node>\n", letter, i, kind);
  };
  for (Index l = 0; l < U.cols(); ++l) node('h', l, "hidden");
  for (Index i = 0; i < U.rows(); ++i) node('x', i, "observed");
  for (Index l = 0; l < U.cols(); ++l) {
    for (Index i = 0; i < U.rows(); ++i) {
      append(out,
             "    <edge source=\"h{}\" target=\"x{}\"><data key=\"kind\">loading</data>"
             "<data key=\"loading\">{:.17g}</data></edge>\n",
             l, i, U(i, l));
    }
  }
  for (const auto& [pair, networks] : noise_pairs(noise)) {
    append(out,
           "    <edge source=\"x{}\" target=\"x{}\" directed=\"false\"><data key=\"kind\">noise"
           "</data><data key=\"networks\">{}</data></edge>\n",
           pair.first, pair.second, networks);
  }
  return out + "  </graph>\n</graphml>\n";
}

}  // namespace sunder
