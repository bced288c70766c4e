#pragma once

#include <cstdint>

#include "sunder/core/shape.hpp"

namespace sunder::robust {

/// The memory that a core may take.
class CoreBudget {
 public:
  /// 0: no limit.
  explicit CoreBudget(std::int64_t bytes) : bytes_(bytes) {}

  bool limited() const { return bytes_ > 0; }
  bool fits(const Shape& core) const;
  /// Throws InputError, naming the flags that would help, if it does not fit.
  void require(const Shape& core) const;

 private:
  std::int64_t bytes_;
};

}  // namespace sunder::robust
