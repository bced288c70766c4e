# Headers that nearly every file reads are parsed once for each target. Off where each file must name what it uses (dev, and so clang-tidy).
option(SUNDER_PRECOMPILED_HEADERS "Parse common headers once" OFF)

function(sunder_precompiled target)
  if(SUNDER_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <filesystem> <fstream> <functional> <map> <memory>
                              <optional> <span> <string> <vector> <Eigen/Dense> <fmt/format.h> <fmt/ranges.h> ${ARGN})
  endif()
endfunction()

# Files of a target in bundles: what is heavy in them is one library's templates, instantiated in each (CLI11, GoogleTest).
function(sunder_bundled target)
  if(SUNDER_PRECOMPILED_HEADERS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  endif()
endfunction()
