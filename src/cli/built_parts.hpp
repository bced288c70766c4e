#pragma once
/// The parts of the library that this command was built with: CMake's options of the same names.

namespace sunder::cli {

inline constexpr bool with_learn = SUNDER_WITH_LEARN != 0;  ///< SUNDER_LEARN
inline constexpr bool with_video = SUNDER_WITH_VIDEO != 0;  ///< SUNDER_VIDEO

}  // namespace sunder::cli
