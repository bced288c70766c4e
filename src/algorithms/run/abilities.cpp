#include "algorithms/run/abilities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/run/validation.hpp"

namespace sunder {

std::string sentence_of(std::string_view method, const MethodAbilities& abilities) {
  std::vector<std::string_view> limits;
  if (!abilities.stored) limits.emplace_back("needs the whole tensor in memory");
  if (!abilities.checkpoints) limits.emplace_back("keeps no checkpoints");
  if (!abilities.processes) limits.emplace_back("runs in one process only");
  if (!abilities.chooses_rank) limits.emplace_back("cannot choose the rank");
  if (limits.empty()) return "";
  const std::string_view last = limits.back();
  limits.pop_back();
  return fmt::format("{} {}{}{}: use robust-cp, which has no such limit", method,
                     fmt::join(limits, ", "), limits.empty() ? "" : " and ", last);
}

void require_heeded(std::string_view method, const MethodAbilities& abilities,
                    const RunOptions& run) {
  require_option(run.max_seconds >= 0, "max-seconds", "0 (no limit) or positive", run.max_seconds);
  const bool too_small = run.memory > 0 && !abilities.stored;
  const bool not_kept = run.state_keeper != nullptr && !abilities.checkpoints;
  const bool too_many = run.communicator && run.communicator->size() > 1 && !abilities.processes;
  if (too_small || not_kept || too_many) throw OptionError(sentence_of(method, abilities));
}

}  // namespace sunder
