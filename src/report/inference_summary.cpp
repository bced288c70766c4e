#include "report/inference_summary.hpp"

#include <cmath>
#include <limits>

#include "io/files/whole_number.hpp"

namespace sunder {

namespace {

using Written = nlohmann::ordered_json;
using Read = nlohmann::json;

/// What is not a number is null in JSON.
double number(const Read& object, const char* key) {
  const Read& value = object.at(key);
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

/// Degrees of freedom of 0 stand for infinity.
Written object_of(const FalseDiscoveries& found) {
  const bool normal = !std::isfinite(found.null_degrees);
  return {{"level", found.level},
          {"expected", found.expected},
          {"null_family", normal ? "normal" : "t"},
          {"null_degrees", normal ? 0 : found.null_degrees},
          {"null_scale", found.null_scale},
          {"null_share", found.null_share}};
}

FalseDiscoveries false_discoveries_of(const Read& object) {
  FalseDiscoveries found;
  found.known = true;
  found.level = number(object, "level");
  found.expected = number(object, "expected");
  found.null_scale = number(object, "null_scale");
  found.null_share = number(object, "null_share");
  const double degrees = number(object, "null_degrees");
  if (degrees > 0) found.null_degrees = degrees;
  return found;
}

Written object_of(const RankStudy& study) {
  Written records = Written::array();
  for (const RankRecord& record : study.records) {
    records.push_back({{"rank", record.rank},
                       {"nats", record.nats},
                       {"description", record.description},
                       {"core_consistency", record.consistency},
                       {"starts_agree", record.agreement},
                       {"halves_agree", record.halves},
                       {"held_out_nats", record.held_out},
                       {"blocks", record.boxes},
                       {"outlier_share", record.outlier_share},
                       {"sigma", record.sigma}});
  }
  return {{"recommended", study.recommended},
          {"reason", study.reason},
          {"seconds", study.seconds},
          {"records", records}};
}

RankStudy ranks_of(const Read& object) {
  RankStudy study;
  study.recommended = whole_number<int>(object.at("recommended"));
  study.reason = object.at("reason").get<std::string>();
  study.seconds = number(object, "seconds");
  for (const Read& record : object.at("records")) {
    study.records.push_back({.rank = whole_number<int>(record.at("rank")),
                             .nats = number(record, "nats"),
                             .description = number(record, "description"),
                             .consistency = number(record, "core_consistency"),
                             .agreement = number(record, "starts_agree"),
                             .halves = number(record, "halves_agree"),
                             .held_out = number(record, "held_out_nats"),
                             .boxes = whole_number<int>(record.at("blocks")),
                             .outlier_share = number(record, "outlier_share"),
                             .sigma = number(record, "sigma")});
  }
  return study;
}

}  // namespace

void add_inference(Written& summary, const Decomposition& result) {
  if (result.false_discoveries.known) {
    summary["false_discoveries"] = object_of(result.false_discoveries);
  }
  if (!result.certificate.tests.empty()) {
    Written tests = Written::array();
    for (const VerdictTest& test : result.certificate.tests) {
      tests.push_back({{"name", test.name},
                       {"value", test.value},
                       {"limit", test.limit},
                       {"at_most", test.at_most},
                       {"passed", test.passed}});
    }
    summary["verdict_tests"] = tests;
  }
  if (result.errors.known && result.errors.weights.size() > 0) {
    const Vector& errors = result.errors.weights;
    summary["weight_errors"] = std::vector<double>(errors.begin(), errors.end());
  }
  if (result.ranks.recommended > 0) summary["ranks"] = object_of(result.ranks);
}

void read_inference(const Read& summary, Decomposition& result) {
  if (summary.contains("false_discoveries")) {
    result.false_discoveries = false_discoveries_of(summary.at("false_discoveries"));
  }
  if (summary.contains("verdict_tests")) {
    for (const Read& test : summary.at("verdict_tests")) {
      result.certificate.tests.push_back({.name = test.at("name").get<std::string>(),
                                          .value = number(test, "value"),
                                          .limit = number(test, "limit"),
                                          .at_most = test.at("at_most").get<bool>(),
                                          .passed = test.at("passed").get<bool>()});
    }
  }
  if (summary.contains("ranks")) result.ranks = ranks_of(summary.at("ranks"));
}

std::string render_ranks(const RankStudy& study) { return object_of(study).dump(); }

}  // namespace sunder
