#pragma once
/// The kinds of section that a page can show, as data. A script of src/report/page draws each of
/// them: curves.js, table.js, images.js. Text is never interpreted as markup.

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder {

using PageJson = nlohmann::ordered_json;

struct PlotAxis {
  std::string label;
  bool log = false;      ///< if true, values that are not positive interrupt the line
  bool integer = false;  ///< only integers get a tick
};

struct Curve {
  std::string name;                    ///< shown in the legend; a plot with one curve needs none
  std::vector<std::vector<double>> x;  ///< one list for each x axis of the plot; none: 0, 1, ...
  std::vector<double> y;               ///< NaN interrupts the line
  std::vector<double> low, high;       ///< range of y at each point; empty: unknown
  bool filled = false;                 ///< filled down to the axis, for histograms
};

/// A vertical line.
struct PlotMark {
  double x = 0;
  std::string label;
};

/// How the range of a curve is drawn.
enum class Spread { band, whiskers };

struct Plot {
  std::string title;
  std::string description;              ///< alternative text for screen readers
  std::vector<PlotAxis> x{PlotAxis{}};  ///< with more than one, the reader chooses
  PlotAxis y;
  std::vector<Curve> curves;
  std::vector<PlotMark> marks;
  Spread spread = Spread::band;
};

/// A choice of the reader, for example of a component or a mode.
struct PlotChoice {
  std::string label;
  std::vector<std::string> options;
  bool side_by_side = false;  ///< show all options at once until the reader chooses one
};

/// One plot for each combination of the choices, the last choice fastest.
struct CurvesData {
  std::vector<PlotChoice> choices;
  std::vector<Plot> plots;
};

using TableCell = std::variant<std::string, double>;

/// A table that can be sorted by every column.
struct TableData {
  std::vector<std::string> columns;
  std::vector<std::vector<TableCell>> rows;
};

enum class Palette {
  diverging,  ///< blue, white in the middle of the range, red
  heat,       ///< from the background colour to dark
  grey,       ///< from black to white, for photographs and video
};

/// A stack of pictures, one for each frame.
struct ImageStack {
  std::string name;
  Palette palette = Palette::diverging;
  double low = 0;  ///< the ends of the colour scale
  double high = 1;
  std::vector<float> values;  ///< frame by frame, row by row; NaN: missing
  int over = -1;              ///< index of the stack on which this one is drawn where it is not 0
};

/// The indices that are shown along one axis of the pictures, or along the frames.
struct ImageAxis {
  std::string label;
  Index extent = 0;
  std::vector<Index> indices;
};

struct ImageView {
  std::string name;  ///< name in the list of views
  std::string note;  ///< text below the pictures
  ImageAxis frames, rows, columns;
  std::vector<ImageStack> stacks;
};

/// Stacks of pictures side by side, with a slider over the frames.
struct ImagesData {
  std::string choice;  ///< the label of the list of views
  std::vector<ImageView> views;
  int first = 0;  ///< the view shown first
  std::string unit;
};

/// Writes JSON that is safe inside a script element: no text in it can end the element.
std::string script_safe_json(const PageJson& data);

PageJson to_page_json(const CurvesData& data);
PageJson to_page_json(const TableData& data);
PageJson to_page_json(const ImagesData& data);

/// The same as text that is safe inside a script element.
std::string to_page_text(const CurvesData& data);
std::string to_page_text(const TableData& data);
std::string to_page_text(const ImagesData& data);

}  // namespace sunder
