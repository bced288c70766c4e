#include <fmt/format.h>

#include <algorithm>

#include "report/html.hpp"
#include "report/report_parts.hpp"
#include "report/run_figures.hpp"

namespace sunder {
namespace {

constexpr std::size_t max_rows = 500;

// Both cells are HTML already.
std::string row(std::string_view name, std::string_view value) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", name, value);
}

std::string table(std::string_view head, std::string_view rows) {
  return fmt::format(
      "<div class=\"scroll\"><table>\n<thead>{}</thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
      head, rows);
}

std::string head(std::string_view first, std::string_view second) {
  return fmt::format(R"(<tr><th scope="col">{}</th><th scope="col">{}</th></tr>)", first, second);
}

std::string cosine_rows(const ComponentMatch& match) {
  std::string rows;
  const std::size_t shown = std::min(match.cosine.size(), max_rows);
  for (std::size_t k = 0; k < shown; ++k) {
    const int partner = k < match.partner.size() ? match.partner[k] : -1;
    const std::string name =
        partner >= 0 ? fmt::format("true component {}, found as component {}", k, partner)
                     : fmt::format("true component {}, not found", k);
    rows += row(name, html::number(match.cosine[k], 10));
  }
  if (shown < match.cosine.size()) {
    rows += row("further components", html::count(static_cast<Index>(match.cosine.size() - shown)));
  }
  return rows;
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

// MATLAB has no reader for .npy files; this one knows the two types that are in the folder.
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

std::string truth_section(const Evaluation& evaluation) {
  const std::string figures =
      row("error of L, relative to the norm of the true L",
          html::number(evaluation.error_low_rank)) +
      row("entries of S that are true (precision)", html::percent(evaluation.support.precision)) +
      row("true entries that are in S (recall)", html::percent(evaluation.support.recall));
  std::string out = "<h2>Against the truth</h2>\n" + table(head("measure", "value"), figures);
  if (!evaluation.components.cosine.empty()) {
    out += table(head("component", "cosine"), cosine_rows(evaluation.components));
  }
  return out;
}

std::string options_section(const RunDescription& run) {
  std::string rows = row("method", html::escape(run.method)) +
                     row("type of the data", html::escape(run.dtype)) +
                     row("seed", std::to_string(run.seed));
  for (const auto& [name, value] : run.options) {
    rows += row("<code>" + html::escape(name) + "</code>", html::escape(value));
  }
  return "<h2>Options</h2>\n<p>The same input with the same options gives the same result.</p>\n" +
         table(head("option", "value"), rows);
}

std::string loading_section(const Decomposition& result) {
  const int order = shape_of(result).order();
  std::string numpy(numpy_snippet), octave(octave_snippet);
  numpy += numpy_dense(order);
  octave += octave_rest(order);
  return fmt::format(
      "<h2>Loading the result</h2>\n<h3>Python with NumPy</h3>\n<pre><code>{}</code></pre>\n"
      "<h3>MATLAB or Octave</h3>\n<pre><code>{}</code></pre>\n",
      html::escape(numpy), html::escape(octave));
}

}  // namespace sunder
