#pragma once
/// The kinds of section that a page can show, as data. A script of src/report/page draws each:
/// curves.js, table.js, images.js. Text in here is text: nothing of it is read as markup.

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder {

using PageJson = nlohmann::ordered_json;

struct PlotAxis {
  std::string label;
  bool log = false;      ///< values that are not positive then interrupt the line
  bool integer = false;  ///< only whole numbers get a tick
};

struct Curve {
  std::string name;                    ///< in the legend; a plot with one curve needs none
  std::vector<std::vector<double>> x;  ///< one list for each x axis of the plot; none: 0, 1, ...
  std::vector<double> y;               ///< NaN interrupts the line
  std::vector<double> low, high;       ///< what y may vary between; empty: not said
  bool filled = false;                 ///< down to the axis: histograms
};

/// A vertical line.
struct PlotMark {
  double x = 0;
  std::string label;
};

/// How the low and high of a curve are drawn.
enum class Spread { band, whiskers };

struct Plot {
  std::string title;
  std::string description;              ///< read out in place of the picture
  std::vector<PlotAxis> x{PlotAxis{}};  ///< more than one: the reader chooses
  PlotAxis y;
  std::vector<Curve> curves;
  std::vector<PlotMark> marks;
  Spread spread = Spread::band;
};

/// Something that the reader chooses: a component, a mode.
struct PlotChoice {
  std::string label;
  std::vector<std::string> options;
  bool side_by_side = false;  ///< all options at once, until one is chosen
};

/// One plot for each combination of the choices, the last choice running fastest.
struct CurvesData {
  std::vector<PlotChoice> choices;
  std::vector<Plot> plots;
};

using TableCell = std::variant<std::string, double>;

/// Sortable by every column.
struct TableData {
  std::vector<std::string> columns;
  std::vector<std::vector<TableCell>> rows;
};

enum class Palette {
  diverging,  ///< blue, white at the middle of the range, red
  heat,       ///< from the background to dark
  grey,       ///< from black to white: photographs and video
};

/// One picture for each frame.
struct ImageStack {
  std::string name;
  Palette palette = Palette::diverging;
  double low = 0;  ///< the ends of the colour scale
  double high = 1;
  std::vector<float> values;  ///< frame by frame, row by row; NaN: missing
  int over = -1;              ///< drawn on top of this other stack, where it is not 0
};

/// One axis of the pictures, or the frames: the indices that are shown.
struct ImageAxis {
  std::string label;
  Index extent = 0;
  std::vector<Index> indices;
};

struct ImageView {
  std::string name;  ///< in the list to choose from
  std::string note;  ///< below the pictures
  ImageAxis frames, rows, columns;
  std::vector<ImageStack> stacks;
};

/// Stacks of pictures side by side, with a slider over the frames.
struct ImagesData {
  std::string choice;  ///< what the views differ in
  std::vector<ImageView> views;
  int first = 0;  ///< the view shown first
  std::string unit;
};

PageJson to_page_json(const CurvesData& data);
PageJson to_page_json(const TableData& data);
PageJson to_page_json(const ImagesData& data);

}  // namespace sunder
