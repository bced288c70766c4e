#include "sunder/apps/activity.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

struct Attempt {
  const char* name;
  const char* method;
  bool pixels_as_one_mode;
  std::vector<std::pair<const char*, const char*>> options;
};

/// Convergence 1e-3 on 8-bit data: what is below three grey levels counts as kept noise.
std::vector<Attempt> attempts() {
  return {{"tensor method (T-RPCA)", "rtd-als", false, {{"tolerance", "1e-3"}}},
          {"matrix method (M-RPCA)", "altproj-flat", true, {{"tolerance", "1e-3"}}},
          {"robust-cp, tensor", "robust-cp", false, {}},
          {"robust-cp, pixels x frames", "robust-cp", true, {}}};
}

}  // namespace

MaskScore score(const SparseTensor& foreground, const FrameMasks& truth) {
  const Shape& shape = truth.masks.shape();
  std::map<Index, Index> mask_of_frame;
  for (std::size_t k = 0; k < truth.frames.size(); ++k) {
    mask_of_frame[truth.frames[k]] = static_cast<Index>(k);
  }
  const bool flat = foreground.shape().order() == 2;
  Index hits = 0;
  Index found = 0;
  for (Index k = 0; k < foreground.count(); ++k) {
    const ModeIndices at = foreground.coordinates(k);
    const auto mask = mask_of_frame.find(flat ? at[1] : at[2]);
    if (mask == mask_of_frame.end()) continue;
    ++found;
    const Index row = flat ? at[0] / shape[1] : at[0];
    const Index column = flat ? at[0] % shape[1] : at[1];
    hits += truth.masks({row, column, mask->second}) != 0 ? 1 : 0;
  }
  Index wanted = 0;
  for (Index i = 0; i < shape[0]; ++i) {
    for (Index j = 0; j < shape[1]; ++j) {
      for (Index k = 0; k < shape[2]; ++k) wanted += truth.masks({i, j, k}) != 0 ? 1 : 0;
    }
  }
  MaskScore result;
  if (found > 0) result.precision = static_cast<double>(hits) / static_cast<double>(found);
  if (wanted > 0) result.recall = static_cast<double>(hits) / static_cast<double>(wanted);
  if (found + wanted > 0) {
    result.f = 2.0 * static_cast<double>(hits) / static_cast<double>(found + wanted);
  }
  return result;
}

std::vector<ActivityRow> compare_activity(const TensorView& clip, const FrameMasks& truth,
                                          int threads, const ProgressCallback& progress) {
  if (clip.order() != 3) {
    throw InputError(
        fmt::format("a clip is H x W x T, but this one has shape {}", to_string(clip.shape())));
  }
  if (truth.masks.order() != 3 || truth.masks.shape()[0] != clip.shape()[0] ||
      truth.masks.shape()[1] != clip.shape()[1] ||
      truth.masks.shape()[2] != static_cast<Index>(truth.frames.size())) {
    throw InputError(fmt::format("masks of shape {} with {} frames do not fit a clip of shape {}",
                                 to_string(truth.masks.shape()), truth.frames.size(),
                                 to_string(clip.shape())));
  }
  std::vector<ActivityRow> rows;
  for (const Attempt& attempt : attempts()) {
    const std::unique_ptr<Method> method = make_method(attempt.method);
    std::string options;
    for (const auto& [name, value] : attempt.options) {
      method->set(name, value);
      options += fmt::format(" --{} {}", name, value);
    }
    RunOptions run;
    run.rank = 1;
    run.threads = threads;
    run.progress = progress;
    const TensorView view = attempt.pixels_as_one_mode ? clip.grouped(std::array{0, 1}) : clip;
    const Decomposition result = method->decompose(view, run);
    if (result.outcome == Outcome::cancelled) throw Cancelled();
    rows.push_back({attempt.name, attempt.method + options, std::string(to_string(result.outcome)),
                    result.seconds, result.passes,
                    static_cast<double>(result.sparse_count) / static_cast<double>(clip.entries()),
                    score(result.sparse, truth)});
  }
  return rows;
}

}  // namespace sunder
