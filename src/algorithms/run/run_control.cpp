#include "algorithms/run/run_control.hpp"

#include "sunder/core/error.hpp"

namespace sunder {

Continue RunControl::report(const Progress& progress) {
  if (sunder::report(callback_, progress) == Continue::cancel) return Continue::cancel;
  if (processes_->rank() != 0 || !clock_counts_ || !limit_.reached()) return Continue::yes;
  time_is_up_ = true;
  return Continue::cancel;
}

void RunControl::ask(const Progress& progress) {
  processes_->together([&] {
    if (report(progress) == Continue::cancel) throw Cancelled();
  });
}

bool RunControl::ended_by_clock() const {
  double up = time_is_up_ ? 1 : 0;
  processes_->broadcast(std::span(&up, 1), 0);
  return up > 0;
}

}  // namespace sunder
