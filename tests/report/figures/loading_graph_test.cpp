#include "report/figures/loading_graph.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace sunder {
namespace {

CpModel model() {
  const Matrix U = (Matrix(3, 2) << 1, 0, -0.5, 0.2, 0.1, -1).finished();
  return {Vector::Ones(2), {U, U, Matrix::Ones(4, 2)}};
}

std::ptrdiff_t count(const std::string& text, const std::string& pattern) {
  const std::regex what(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), what),
                       std::sregex_iterator());
}

TEST(LoadingGraph, DrawsTheLargeLoadings) {
  const std::string svg = loading_graph_svg(model(), 0.3);
  EXPECT_EQ(count(svg, "<line "), 3);  // 1, -0.5 and -1
  EXPECT_EQ(count(svg, "stroke-dasharray"), 2);
  EXPECT_EQ(count(svg, "<circle "), 5);
  EXPECT_EQ(count(loading_graph_svg(model(), 0), "<line "), 5);  // a loading of 0 is none
}

TEST(LoadingGraph, GraphmlHasEveryLoadingAndTheNoise) {
  const SparseTensor noise(Shape{3, 3, 4}, {0, 1, 4, 5, 12, 13}, {1, 1, 0.5, 0.5, 0.5, 0.5});
  const std::string graph = loading_graph_graphml(model(), noise);
  EXPECT_EQ(count(graph, "<node "), 5);
  EXPECT_EQ(count(graph, "<edge source=\"h"), 6);
  EXPECT_EQ(count(graph, "<data key=\"loading\">-0.5</data>"), 1);
  EXPECT_EQ(count(graph,
                  "<edge source=\"x0\" target=\"x1\" directed=\"false\">.*<data "
                  "key=\"networks\">2</data>"),
            1);
  EXPECT_EQ(count(graph, "directed=\"false\""), 1);  // once, not for (0, 1) and (1, 0)
}

}  // namespace
}  // namespace sunder
