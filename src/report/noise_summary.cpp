#include "report/noise_summary.hpp"

#include "io/files/whole_number.hpp"
#include "report/inference_summary.hpp"
#include "report/report.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr std::size_t most_slices = 10000;  ///< of a mode: a summary stays readable

using Written = nlohmann::ordered_json;
using Read = nlohmann::json;

std::vector<double> if_few(const std::vector<double>& slices) {
  return slices.size() <= most_slices ? slices : std::vector<double>{};
}

Written noise_object(const NoiseEstimate& noise) {
  Written deviations = Written::array();
  for (const std::vector<double>& mode : noise.slice_deviations) deviations.push_back(if_few(mode));
  return {{"family", noise.family},
          {"sigma", noise.sigma},
          {"outlier_share", noise.outlier_share},
          {"wide_share", noise.wide_share},
          {"linear_growth", noise.linear_growth},
          {"square_growth", noise.square_growth},
          {"signal_size", noise.signal_size},
          {"nats", noise.nats},
          {"slice_deviations", deviations},
          {"edges", noise.edges},
          {"outlier_density", noise.outlier_density}};
}

NoiseEstimate noise_of(const Read& object) {
  NoiseEstimate noise;
  noise.known = true;
  noise.family = object.at("family").get<std::string>();
  const auto number = [&](const char* key) {
    const Read& value = object.at(key);
    return value.is_null() ? 0 : value.get<double>();  // what was not finite is null
  };
  noise.sigma = number("sigma");
  noise.outlier_share = number("outlier_share");
  noise.wide_share = number("wide_share");
  noise.linear_growth = number("linear_growth");
  noise.square_growth = number("square_growth");
  noise.signal_size = number("signal_size");
  noise.nats = number("nats");
  noise.slice_deviations = object.at("slice_deviations").get<std::vector<std::vector<double>>>();
  noise.edges = object.at("edges").get<std::vector<double>>();
  noise.outlier_density = object.at("outlier_density").get<std::vector<double>>();
  if (!noise.edges.empty() && noise.edges.size() != noise.outlier_density.size() + 1) {
    throw InputError("the density of its gross errors has not one number for each bin");
  }
  return noise;
}

}  // namespace

void add_noise(Written& summary, const Decomposition& result) {
  if (!result.noise.known) return;
  summary["noise"] = noise_object(result.noise);
  Written slices = Written::array();
  for (const SliceQuality& mode : result.slice_quality) {
    slices.push_back({{"inlier_share", if_few(mode.inlier_share)},
                      {"deviation", if_few(mode.deviation)},
                      {"excess", if_few(mode.excess)}});
  }
  summary["slices"] = slices;
  Written flagged = Written::array();
  for (const FlaggedSlice& slice : result.flagged_slices) {
    flagged.push_back({{"mode", slice.mode},
                       {"index", slice.index},
                       {"reason", slice.reason},
                       {"inlier_share", slice.inlier_share},
                       {"deviation", slice.deviation},
                       {"excess", slice.excess},
                       {"q", slice.q}});
  }
  summary["flagged_slices"] = flagged;
}

void read_noise(const Read& summary, Decomposition& result) {
  if (!summary.contains("noise")) return;
  result.noise = noise_of(summary.at("noise"));
  for (const Read& mode : summary.at("slices")) {
    result.slice_quality.push_back({mode.at("inlier_share").get<std::vector<double>>(),
                                    mode.at("deviation").get<std::vector<double>>(),
                                    mode.at("excess").get<std::vector<double>>()});
  }
  for (const Read& slice : summary.at("flagged_slices")) {
    result.flagged_slices.push_back({.mode = whole_number<int>(slice.at("mode")),
                                     .index = whole_number<Index>(slice.at("index")),
                                     .reason = slice.at("reason").get<std::string>(),
                                     .inlier_share = slice.at("inlier_share").get<double>(),
                                     .deviation = slice.at("deviation").get<double>(),
                                     .excess = slice.at("excess").get<double>(),
                                     .q = slice.value("q", 0.0)});
  }
}

std::string render_noise(const Decomposition& result) {
  Written object = Written::object();
  add_noise(object, result);
  add_inference(object, result);
  return object.dump();
}

void read_noise(std::string_view text, Decomposition& result) {
  const Read object = Read::parse(text);
  read_noise(object, result);
  read_inference(object, result);
}

}  // namespace sunder
