#pragma once
/// What a user may know about the factors of L besides their number.

#include <vector>

namespace sunder {

using ModeList = std::vector<int>;
using ModeGroups = std::vector<ModeList>;

struct Constraints {
  ModeGroups shared;     ///< the modes of a group have one factor
  ModeList nonnegative;  ///< modes whose factors have no negative entry
};

}  // namespace sunder
