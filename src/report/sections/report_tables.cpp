#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/html.hpp"
#include "report/run_figures.hpp"
#include "report/sections/report_parts.hpp"

namespace sunder {
namespace {

constexpr std::size_t max_rows = 500;

TableData cosines(const ComponentMatch& match) {
  TableData table{{"true component", "found as component", "cosine"}, {}};
  const std::size_t shown = std::min(match.cosine.size(), max_rows);
  for (std::size_t k = 0; k < shown; ++k) {
    const int partner = k < match.partner.size() ? match.partner[k] : -1;
    const TableCell found = partner >= 0 ? TableCell(static_cast<double>(partner)) : "not found";
    table.rows.push_back({static_cast<double>(k), found, match.cosine[k]});
  }
  return table;
}

constexpr std::string_view numpy_snippet = R"(import json
import numpy as np

folder = "."  # where this report lies
shape = json.load(open(f"{folder}/summary.json"))["shape"]
weights = np.load(f"{folder}/weights.npy")
factors = [np.load(f"{folder}/factors_{m}.npy") for m in range(len(shape))]
where = np.load(f"{folder}/sparse_coords.npy")    # one row of indices for each entry of S
values = np.load(f"{folder}/sparse_values.npy")

# As dense arrays, if they fit into memory:
)";

// MATLAB has no reader for .npy files; this one supports the two types in the folder.
constexpr std::string_view octave_snippet = R"(% In a file load_npy.m:
function x = load_npy(name)
  f = fopen(name, 'r', 'l');  fread(f, 8);
  head = fread(f, fread(f, 1, 'uint16'), '*char')';
  dims = regexp(head, '\(([^)]*)\)', 'tokens', 'once');
  dims = sscanf(strrep(dims{1}, ',', ' '), '%d')';
  type = 'double';
  if ~isempty(strfind(head, 'i8')), type = 'int64'; end
  x = fread(f, Inf, type);  fclose(f);
  if numel(dims) == 2
    if isempty(strfind(head, '''fortran_order'': True'))
      x = reshape(x, fliplr(dims))';
    else
      x = reshape(x, dims);
    end
  end
end

% Then, in the folder of this report:
weights = load_npy('weights.npy');
for m = 1:)";

std::string numpy_dense(int order) {
  const std::string letters = std::string("ijklmnop").substr(0, static_cast<std::size_t>(order));
  std::string terms;
  for (const char letter : letters) terms += fmt::format(",{}r", letter);
  return fmt::format(
      "L = np.einsum(\"r{}->{}\", weights, *factors, optimize=True)\n"
      "S = np.zeros(shape)\n"
      "S[tuple(where.T)] = values",
      terms, letters);
}

std::string octave_rest(int order) {
  return fmt::format(
      "{}, factors{{m}} = load_npy(sprintf('factors_%d.npy', m - 1)); end\n"
      "where = load_npy('sparse_coords.npy') + 1;   % one row of indices for each entry of S\n"
      "values = load_npy('sparse_values.npy');",
      order);
}

}  // namespace

void add_truth(Page& page, const Evaluation& evaluation) {
  page.add_heading("Against the truth");
  page.add(TableData{
      {"measure", "value"},
      {{"error of L, relative to the norm of the true L", evaluation.error_low_rank},
       {"share of the entries of S that are true (precision)", evaluation.support.precision},
       {"share of the true entries that are in S (recall)", evaluation.support.recall}}});
  const ComponentMatch& match = evaluation.components;
  if (match.cosine.empty()) return;
  page.add(cosines(match),
           match.cosine.size() > max_rows
               ? fmt::format("The first {} of {} components.", max_rows, match.cosine.size())
               : "");
}

void add_options(Page& page, const RunDescription& run) {
  TableData table{{"option", "value"},
                  {{"method", run.method},
                   {"type of the data", run.dtype},
                   {"seed", std::to_string(run.seed)}}};
  for (const auto& [name, value] : run.options) table.rows.push_back({name, value});
  if (!run.group.empty()) {
    table.rows.push_back({"modes grouped", fmt::format("{}", fmt::join(run.group, ", "))});
  }
  page.add_heading("Options");
  page.add_html("<p>The same input with the same options gives the same result.</p>\n");
  page.add(table);
}

void add_loading(Page& page, const Decomposition& result) {
  const int order = shape_of(result).order();
  std::string numpy(numpy_snippet), octave(octave_snippet);
  numpy += numpy_dense(order);
  octave += octave_rest(order);
  page.add_html(fmt::format(
      "<h2>Loading the result</h2>\n<h3>Python with NumPy</h3>\n<pre><code>{}</code></pre>\n"
      "<h3>MATLAB or Octave</h3>\n<pre><code>{}</code></pre>\n",
      html::escape(numpy), html::escape(octave)));
}

}  // namespace sunder
