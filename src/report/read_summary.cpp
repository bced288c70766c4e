#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "io/files/whole_number.hpp"
#include "report/inference_summary.hpp"
#include "report/noise_summary.hpp"
#include "report/report.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using Json = nlohmann::json;

// Numbers that were not finite are null in the file.
double real(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

double number(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? 0 : real(*found);
}

template <class T>
T value(const Json& object, const char* key) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    return object.contains(key) ? whole_number<T>(object.at(key)) : T{};
  } else {
    return object.value(key, T{});
  }
}

template <class E>
E named(const std::string& name, std::initializer_list<E> all) {
  for (const E one : all) {
    if (to_string(one) == name) return one;
  }
  throw InputError(fmt::format("it says '{}', which this version does not know", name));
}

std::map<std::string, std::string> options(const Json& object) {
  std::map<std::string, std::string> out;
  for (const auto& [name, value] : object.items()) {
    out[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return out;
}

RunDescription run_of(const Json& summary) {
  RunDescription run;
  run.input = summary.at("input").get<std::string>();
  run.dtype = value<std::string>(summary, "dtype");
  run.method = summary.at("method").get<std::string>();
  run.options = options(value<Json>(summary, "options"));
  run.seed = value<std::uint64_t>(summary, "seed");
  if (summary.contains("group")) run.group = whole_numbers<int>(summary.at("group"));
  if (summary.contains("plan")) {
    const Json& plan = summary.at("plan");
    run.plan = ReadingPlan{value<bool>(plan, "streamed"), value<std::int64_t>(plan, "memory_limit"),
                           value<std::int64_t>(plan, "memory"),
                           value<std::int64_t>(plan, "bytes_to_read"), value<int>(plan, "passes")};
  }
  if (!summary.contains("error_low_rank")) return run;
  run.evaluation =
      Evaluation{number(summary, "error_low_rank"),
                 {number(summary, "support_precision"), number(summary, "support_recall")},
                 {}};
  // Folders from earlier versions lack the partners; their report has no table of components.
  if (summary.contains("component_partners")) {
    ComponentMatch& match = run.evaluation->components;
    match.partner = whole_numbers<int>(summary.at("component_partners"));
    for (const Json& cosine : summary.at("components")) match.cosine.push_back(real(cosine));
  }
  return run;
}

TraceRecord record_of(const Json& record) {
  return {.pass = value<int>(record, "pass"),
          .stage = value<std::string>(record, "stage"),
          .threshold = number(record, "threshold"),
          .kept_residual = number(record, "kept_residual"),
          .sparse_fraction = number(record, "sparse_fraction"),
          .change = number(record, "change"),
          .seconds = number(record, "seconds"),
          .entries_sampled = value<Index>(record, "entries_sampled"),
          .flops = number(record, "flops")};
}

Decomposition result_of(const Json& summary) {
  Decomposition result;
  result.outcome = named(summary.at("outcome").get<std::string>(),
                         {Outcome::converged, Outcome::iteration_limit, Outcome::time_limit,
                          Outcome::stalled, Outcome::ambiguous, Outcome::cancelled});
  result.certificate = {
      named(summary.at("certified").get<std::string>(),
            {Certified::none, Certified::reproducible, Certified::consistent, Certified::exact}),
      value<std::string>(summary, "certificate")};
  result.missing_count = value<Index>(summary, "missing_count");
  result.sparse_count = value<Index>(summary, "sparse_count");
  result.sparse_norm = number(summary, "norm_sparse");
  result.passes = value<int>(summary, "passes");
  result.entries_sampled = value<Index>(summary, "entries_sampled");
  result.bytes_read = value<std::int64_t>(summary, "bytes_read");
  result.flops = number(summary, "flops");
  result.seconds = number(summary, "seconds");
  read_noise(summary, result);
  read_inference(summary, result);
  for (const Json& record : summary.at("trace")) result.trace.push_back(record_of(record));
  return result;
}

}  // namespace

SummaryContents read_summary(std::string_view text) {
  try {
    const Json summary = Json::parse(text);
    const auto extents = whole_numbers<Index>(summary.at("shape"));
    return {run_of(summary), result_of(summary), Shape(std::span<const Index>(extents))};
  } catch (const Json::exception& error) {
    throw InputError(
        fmt::format("it is not the summary of a decomposition ({}); give a folder that 'sunder "
                    "decompose -o' wrote",
                    error.what()));
  }
}

}  // namespace sunder
