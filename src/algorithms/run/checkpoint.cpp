#include "algorithms/run/checkpoint.hpp"

#include <fmt/format.h>

#include "sunder/core/error.hpp"

namespace sunder {

void Checkpoint::require_method(StateReader& reader) const {
  std::string method;
  reader(method);
  if (method == method_) return;
  throw InputError(fmt::format(
      "the checkpoint does not fit: it is not one of {}; begin anew without it", method_));
}

void Checkpoint::offer_bytes(std::vector<std::byte> bytes) {
  latest_ = std::move(bytes);
  kept_ = false;
  double due = keeper_->due() ? 1 : 0;  // the clocks of the processes differ: the first one decides
  communicator_.broadcast(std::span(&due, 1), 0);
  if (due > 0) keep_now();
}

void Checkpoint::keep_now() {
  if (kept_) return;
  communicator_.together([&] {
    if (communicator_.rank() == 0) keeper_->keep(latest_);
  });
  kept_ = true;
}

}  // namespace sunder
