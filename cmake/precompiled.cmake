# Headers that nearly every file reads are parsed once for each target. Off where each file must name what it uses (dev, and so clang-tidy).
option(SUNDER_PRECOMPILED_HEADERS "Parse common headers once" OFF)

function(sunder_precompiled target)
  if(SUNDER_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <filesystem> <fstream> <functional> <map> <memory>
                              <optional> <span> <string> <vector> <Eigen/Dense> <fmt/format.h> <fmt/ranges.h> ${ARGN})
  endif()
endfunction()

# Compiles the files of a target in bundles of at most eight files of one folder: what is heavy in
# them is one library's templates, instantiated in each (CLI11, GoogleTest). A name may then hide one
# of a neighbour's, so the warning about that is off (sunder_warnings); the preset dev has no bundles.
function(sunder_bundled target)
  if(NOT SUNDER_PRECOMPILED_HEADERS)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR number "0${count_${folder}} + 1")
    set(count_${folder} ${number})
    math(EXPR bundle "(${number} - 1) / 8")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${bundle})
  endforeach()
endfunction()
