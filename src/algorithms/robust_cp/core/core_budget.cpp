#include "algorithms/robust_cp/core/core_budget.hpp"

#include <fmt/format.h>

#include "algorithms/robust_cp/levels/core.hpp"
#include "sunder/core/error.hpp"

namespace sunder::robust {

namespace {

/// What the solver of a core has in memory at a time, in bytes.
std::int64_t memory_of(const Shape& core) {
  return levels::data::copies_in_memory * static_cast<std::int64_t>(sizeof(double)) *
         core.entries();
}

}  // namespace

bool CoreBudget::fits(const Shape& core) const { return !limited() || memory_of(core) <= bytes_; }

void CoreBudget::require(const Shape& core) const {
  if (fits(core)) return;
  constexpr double mebibyte = 1 << 20;
  throw InputError(fmt::format(
      "a core of {} needs about {:.0f} MiB, and {:.0f} MiB are left for it: give more `memory`, "
      "or a smaller `core`",
      to_string(core), static_cast<double>(memory_of(core)) / mebibyte,
      static_cast<double>(bytes_) / mebibyte));
}

}  // namespace sunder::robust
