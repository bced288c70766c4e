#include "cli/study/study_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/statistics.hpp"
#include "sunder/core/error.hpp"

namespace sunder::cli {

namespace {

using Json = nlohmann::ordered_json;

/// The error below which a problem counts as recovered: 1e-6 for the paper's panels; a phase
/// diagram compares methods whose tolerances differ.
double recovered_below(const std::string& panel) { return panel == "phase" ? 1e-4 : 1e-6; }

std::string_view name_of(Support support) {
  return support == Support::block ? "block" : "uniform";
}

Json json_of(const StudyResult& result) {
  const StudySetting& setting = result.setting;
  return {{"panel", setting.panel},
          {"method", setting.method},
          {"n", setting.n},
          {"rank", setting.rank},
          {"support", name_of(setting.support)},
          {"density", setting.density},
          {"seed", setting.seed},
          {"status", result.status},
          {"error", result.error},
          {"seconds", result.seconds},
          {"passes", result.passes},
          {"certified", to_string(result.certified)},
          {"sunder", SUNDER_VERSION}};
}

Certified certified_from(const std::string& name) {
  for (const Certified level :
       {Certified::none, Certified::reproducible, Certified::consistent, Certified::exact}) {
    if (to_string(level) == name) return level;
  }
  return Certified::none;
}

StudyResult result_from(const Json& json) {
  StudyResult result;
  result.setting = {json.at("panel"),
                    json.at("method"),
                    json.at("n"),
                    json.at("rank"),
                    json.at("support") == "block" ? Support::block : Support::uniform,
                    json.at("density"),
                    json.at("seed")};
  result.status = json.at("status");
  result.error = json.at("error");
  result.seconds = json.at("seconds");
  result.passes = json.at("passes");
  result.certified = certified_from(json.at("certified"));
  return result;
}

/// Compares measured ratios with the range that the paper claims.
std::string ratio_sentence(const std::string& claim, std::vector<double> ratios,
                           const std::string& what, double claimed_low, double claimed_high) {
  if (ratios.empty()) return claim + " Not measured here.";
  std::sort(ratios.begin(), ratios.end());
  const double middle = midpoint_median(ratios);
  const char* verdict = "These numbers agree.";
  if (middle > claimed_high) verdict = "These numbers go further.";
  if (middle < claimed_low) verdict = "These numbers do not agree.";
  return fmt::format("{} Here {} is {:.2g} to {:.2g}, median {:.2g}, over {} cells. {}", claim,
                     what, ratios.front(), ratios.back(), middle, ratios.size(), verdict);
}

}  // namespace

StudyLog::StudyLog(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream in(file_);
  std::string whole;
  bool cut_off = false;
  for (std::string line; std::getline(in, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) {
      cut_off = true;
      continue;
    }
    try {
      results_.push_back(result_from(json));
    } catch (const Json::exception&) {
      throw InputError(fmt::format(
          "{} holds a line that is not the result of a study: move the file away", file_.string()));
    }
    whole += line + "\n";
  }
  if (cut_off) {
    std::ofstream(file_, std::ios::trunc) << whole;
  }
}

bool StudyLog::has(const StudySetting& setting) const {
  return std::any_of(results_.begin(), results_.end(),
                     [&](const StudyResult& result) { return result.setting == setting; });
}

void StudyLog::add(const StudyResult& result) {
  std::ofstream out(file_, std::ios::app);
  out << json_of(result).dump() << '\n' << std::flush;
  if (!out) throw WriteError(fmt::format("{} cannot be written", file_.string()));
  results_.push_back(result);
}

std::string csv_of(const std::vector<StudyResult>& results) {
  std::string text =
      "panel,method,n,rank,support,density,seed,status,error,seconds,passes,certified\n";
  for (const StudyResult& r : results) {
    std::string status = r.status;
    std::replace(status.begin(), status.end(), ',', ';');
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", r.setting.panel, r.setting.method,
                    r.setting.n, r.setting.rank, name_of(r.setting.support), r.setting.density,
                    r.setting.seed, status, r.error, r.seconds, r.passes, to_string(r.certified));
  }
  return text;
}

std::vector<CellSummary> summarise(const std::vector<StudyResult>& results) {
  std::vector<CellSummary> cells;
  std::vector<std::vector<double>> errors;
  std::vector<std::vector<double>> seconds;
  for (const StudyResult& result : results) {
    const StudySetting& s = result.setting;
    const auto found = std::find_if(cells.begin(), cells.end(), [&](const CellSummary& cell) {
      return cell.panel == s.panel && cell.method == s.method && cell.rank == s.rank &&
             cell.support == s.support && cell.density == s.density;
    });
    const auto k = static_cast<std::size_t>(found - cells.begin());
    if (found == cells.end()) {
      CellSummary cell;
      cell.panel = s.panel;
      cell.method = s.method;
      cell.rank = s.rank;
      cell.support = s.support;
      cell.density = s.density;
      cells.push_back(cell);
      errors.emplace_back();
      seconds.emplace_back();
    }
    ++cells[k].runs;
    if (result.error < recovered_below(s.panel)) {
      ++cells[k].recovered;
    } else {
      cells[k].missed.push_back(s.seed);
    }
    errors[k].push_back(result.error);
    seconds[k].push_back(result.seconds);
  }
  for (std::size_t k = 0; k < cells.size(); ++k) {
    cells[k].median_error = midpoint_median(errors[k]);
    cells[k].least_error = *std::min_element(errors[k].begin(), errors[k].end());
    cells[k].largest_error = *std::max_element(errors[k].begin(), errors[k].end());
    cells[k].median_seconds = midpoint_median(seconds[k]);
  }
  return cells;
}

std::string csv_of(const std::vector<CellSummary>& cells) {
  std::string text =
      "panel,method,label,rank,support,density,runs,recovered,median_error,least_error,"
      "largest_error,median_seconds\n";
  for (const CellSummary& c : cells) {
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{:.3e},{:.3e},{:.3e},{:.4g}\n", c.panel, c.method,
                    label_of(c.method), c.rank, name_of(c.support), c.density, c.runs, c.recovered,
                    c.median_error, c.least_error, c.largest_error, c.median_seconds);
  }
  return text;
}

std::string csv_of(const std::vector<ActivityRow>& rows) {
  std::string text = "name,method,outcome,seconds,passes,sparse_fraction,precision,recall,f\n";
  for (const ActivityRow& row : rows) {
    text += fmt::format("\"{}\",{},{},{},{},{},{},{},{}\n", row.name, row.method, row.outcome,
                        row.seconds, row.passes, row.sparse_fraction, row.score.precision,
                        row.score.recall, row.score.f);
  }
  return text;
}

namespace {

/// The results that the paper's claims are about, one number for each cell.
struct ClaimFigures {
  std::vector<double> accuracy;     ///< error of altproj-flat over that of rtd-als
  std::vector<double> speed_flat;   ///< time of altproj-flat over that of rtd-als
  std::vector<double> speed_slice;  ///< time of altproj-slice over that of rtd-als
  int robust_cells = 0;             ///< cells with runs of robust-cp
  std::vector<std::string> misses;  ///< the cells among them that robust-cp did not recover
};

using MethodsOfCell = std::map<std::string, const CellSummary*>;

void add_ratios(const MethodsOfCell& methods, ClaimFigures& figures) {
  const auto get = [&](const char* method) {
    const auto found = methods.find(method);
    return found == methods.end() ? nullptr : found->second;
  };
  const CellSummary* const tensor = get("rtd-als");
  const CellSummary* const flat = get("altproj-flat");
  const CellSummary* const slice = get("altproj-slice");
  if (tensor == nullptr) return;
  if (flat != nullptr && tensor->median_error > 0) {
    figures.accuracy.push_back(flat->median_error / tensor->median_error);
    if (tensor->median_seconds > 0) {
      figures.speed_flat.push_back(flat->median_seconds / tensor->median_seconds);
    }
  }
  if (slice != nullptr && tensor->median_seconds > 0) {
    figures.speed_slice.push_back(slice->median_seconds / tensor->median_seconds);
  }
}

ClaimFigures claim_figures(const std::vector<CellSummary>& cells) {
  std::map<std::string, MethodsOfCell> by_cell;
  for (const CellSummary& cell : cells) {
    if (cell.panel == "phase") continue;
    by_cell[fmt::format("{} {}", cell.panel, cell.density)][cell.method] = &cell;
  }
  ClaimFigures figures;
  for (const auto& [name, methods] : by_cell) {
    add_ratios(methods, figures);
    const auto robust = methods.find("robust-cp");
    if (robust == methods.end()) continue;
    ++figures.robust_cells;
    const CellSummary& cell = *robust->second;
    if (cell.recovered < cell.runs) {
      figures.misses.push_back(fmt::format("panel {} ({} of {} runs: seeds {})", name,
                                           cell.missed.size(), cell.runs,
                                           fmt::join(cell.missed, ", ")));
    }
  }
  return figures;
}

std::string video_sentence(const ActivityRow& tensor, const ActivityRow& matrix) {
  const std::string verdict = fmt::format(
      "The picture is {}, the time {}.", tensor.score.f > matrix.score.f ? "better" : "not better",
      tensor.seconds < matrix.seconds ? "shorter" : "not shorter");
  return fmt::format(
      "The paper: 10% faster than the matrix method on Curtain (5.1 s against 5.7 s), with a "
      "better picture. Here {:.2f} s against {:.2f} s, F {:.3f} against {:.3f}. {}",
      tensor.seconds, matrix.seconds, tensor.score.f, matrix.score.f, verdict);
}

}  // namespace

std::vector<std::string> claims(const std::vector<CellSummary>& cells,
                                const std::vector<ActivityRow>& activity) {
  const ClaimFigures figures = claim_figures(cells);
  std::vector<std::string> sentences;
  sentences.push_back(ratio_sentence("The paper: the tensor method is 2-3 times more accurate.",
                                     figures.accuracy,
                                     "the error of M-RPCA(flat) over that of T-RPCA", 2, 3));
  sentences.push_back(ratio_sentence("The paper: it is 8-14 times faster.", figures.speed_slice,
                                     "the time of M-RPCA(slice) over that of T-RPCA", 8, 14));
  sentences.push_back(ratio_sentence("The paper's text: about as fast as on the flattening.",
                                     figures.speed_flat,
                                     "the time of M-RPCA(flat) over that of T-RPCA", 0.8, 1.25));
  if (figures.robust_cells > 0) {
    sentences.push_back(figures.misses.empty()
                            ? fmt::format("robust-cp is below 1e-6 in every run of all {} cells.",
                                          figures.robust_cells)
                            : fmt::format("robust-cp is below 1e-6 in all runs but: {}.",
                                          fmt::join(figures.misses, ", ")));
  }
  if (activity.size() >= 2 && activity[0].seconds > 0) {
    sentences.push_back(video_sentence(activity[0], activity[1]));
  }
  return sentences;
}

}  // namespace sunder::cli
