#pragma once
/// How long work talks to whoever started it. The library never prints; it calls back.

#include <functional>
#include <string_view>

namespace sunder {

struct Progress {
  std::string_view stage;  ///< what is being done, in a few words: "stage 2 of 5"
  double fraction = -1;    ///< of the whole work, 0 to 1; negative where it cannot be known
  int pass = 0;            ///< passes over the data so far
  double residual = -1;  ///< relative size of what the model leaves unexplained; negative: unknown
};

enum class Continue { yes, cancel };

/// Called often, from the thread that started the work, never concurrently. Answering `cancel`
/// ends the work soon. An empty function means: no reports, never cancelled.
using ProgressCallback = std::function<Continue(const Progress&)>;

inline Continue report(const ProgressCallback& callback, const Progress& progress) {
  return callback ? callback(progress) : Continue::yes;
}

}  // namespace sunder
