#pragma once
/// What a user may know about the factors of L besides their number.

#include <algorithm>
#include <vector>

namespace sunder {

using ModeList = std::vector<int>;
using ModeGroups = std::vector<ModeList>;

/// Modes along which neighbouring rows of a factor are alike, as times are. Where it is automatic,
/// the data decide about each mode.
struct SmoothModes {
  bool automatic = true;
  ModeList modes = {};

  bool at(int mode) const {
    return automatic || std::find(modes.begin(), modes.end(), mode) != modes.end();
  }
};

struct Constraints {
  ModeGroups shared;     ///< the modes of a group have one factor
  ModeList nonnegative;  ///< modes whose factors have no negative entry
};

}  // namespace sunder
