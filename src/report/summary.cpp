#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/inference_summary.hpp"
#include "report/noise_summary.hpp"
#include "report/report.hpp"
#include "report/run_figures.hpp"

namespace sunder {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
bool parses_as(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

// "inf" and "nan" stay text: JSON has no such numbers, and null would lose the requested value.
Json option_value(const std::string& text) {
  std::int64_t integer = 0;
  if (parses_as(text, integer)) return integer;
  std::uint64_t large_integer = 0;
  if (parses_as(text, large_integer)) return large_integer;
  double real = 0;
  if (parses_as(text, real) && std::isfinite(real)) return real;
  if (text == "true" || text == "false") return text == "true";
  return text;
}

Json options_object(const std::map<std::string, std::string>& options) {
  Json object = Json::object();
  for (const auto& [name, value] : options) object[name] = option_value(value);
  return object;
}

Json trace_array(const std::vector<TraceRecord>& trace) {
  Json array = Json::array();
  for (const TraceRecord& record : trace) {
    array.push_back({{"pass", record.pass},
                     {"stage", record.stage},
                     {"threshold", record.threshold},
                     {"kept_residual", record.kept_residual},
                     {"sparse_fraction", record.sparse_fraction},
                     {"change", record.change},
                     {"entries_sampled", record.entries_sampled},
                     {"flops", record.flops},
                     {"seconds", record.seconds}});
  }
  return array;
}

void add_run(Json& summary, const RunDescription& run) {
  summary["sunder"] = SUNDER_VERSION;
  summary["input"] = run.input;
  summary["dtype"] = run.dtype;
  summary["method"] = run.method;
  summary["options"] = options_object(run.options);
  summary["seed"] = run.seed;
  summary["group"] = run.group;
  if (run.plan) {
    summary["plan"] = {{"streamed", run.plan->streamed},
                       {"memory_limit", run.plan->memory_limit},
                       {"memory", run.plan->memory},
                       {"bytes_to_read", run.plan->bytes_to_read},
                       {"passes", run.plan->passes}};
  }
}

void add_result(Json& summary, const Decomposition& result) {
  const Shape shape = shape_of(result);
  const Vector& weights = result.low_rank.weights();
  summary["shape"] = std::vector<Index>(shape.begin(), shape.end());
  summary["rank"] = result.low_rank.rank();
  summary["outcome"] = to_string(result.outcome);
  summary["certified"] = to_string(result.certificate.level);
  summary["certificate"] = result.certificate.explanation;
  summary["passes"] = result.passes;
  summary["entries_sampled"] = result.entries_sampled;
  summary["bytes_read"] = result.bytes_read;
  summary["flops"] = result.flops;
  summary["seconds"] = result.seconds;
  summary["entries"] = shape.entries();
  summary["missing_count"] = result.missing_count;
  summary["sparse_count"] = result.sparse_count;
  summary["sparse_fraction"] = sparse_fraction(result);
  summary["norm_low_rank"] = result.low_rank.norm();
  summary["norm_sparse"] = result.sparse_norm;
  summary["weights"] = std::vector<double>(weights.begin(), weights.end());
}

void add_evaluation(Json& summary, const Evaluation& evaluation) {
  summary["error_low_rank"] = evaluation.error_low_rank;
  summary["support_precision"] = evaluation.support.precision;
  summary["support_recall"] = evaluation.support.recall;
  summary["components"] = evaluation.components.cosine;
  summary["component_partners"] = evaluation.components.partner;
}

}  // namespace

std::string render_summary(const RunDescription& run, const Decomposition& result) {
  Json summary;
  add_run(summary, run);
  add_result(summary, result);
  if (run.evaluation) add_evaluation(summary, *run.evaluation);
  add_noise(summary, result);
  add_inference(summary, result);
  summary["trace"] = trace_array(result.trace);  // last, because it is long
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sunder
