#pragma once
/// Progress reports of long-running work. The library never prints; it calls a function of the
/// caller.

#include <functional>
#include <string_view>

#include "sunder/core/error.hpp"

namespace sunder {

struct Progress {
  std::string_view stage;  ///< the current step in a few words: "stage 2 of 5"
  double fraction = -1;    ///< share of the whole work that is done, 0 to 1; negative if unknown
  int pass = 0;            ///< passes over the data so far
  double residual = -1;    ///< relative norm of the residual; negative if unknown
};

enum class Continue { yes, cancel };

/// Called often, never concurrently, and only from the thread that started the work. Returning
/// `cancel` ends the work soon. With an empty function there are no reports and no cancellation.
using ProgressCallback = std::function<Continue(const Progress&)>;

inline Continue report(const ProgressCallback& callback, const Progress& progress) {
  return callback ? callback(progress) : Continue::yes;
}

/// Reports a step of work that has no partial result; throws Cancelled if the callback cancels.
inline void report_or_throw(const ProgressCallback& callback, std::string_view stage,
                            double fraction = -1) {
  if (report(callback, {.stage = stage, .fraction = fraction}) == Continue::cancel) {
    throw Cancelled();
  }
}

}  // namespace sunder
