# What each library of sunder is built on; the Debian package of each dependency is in scripts/setup.
# This file is installed too, because a static library passes its needs on to whoever links it.
include(CMakeFindDependencyMacro)

# Our own build stops at what is missing. In an installed package that is up to the caller of
# find_package(sunder): find_dependency() then reports and returns from this file.
set(sunder_required REQUIRED)
if(DEFINED CMAKE_FIND_PACKAGE_NAME)
  set(sunder_required "")
endif()
set(sunder_dependencies_found FALSE)

# The libraries that are wanted: those of the build or, in an installed package, those that the
# caller asked for (sunderConfig.cmake sets the list). The options are those of the build.
if(NOT DEFINED CMAKE_FIND_PACKAGE_NAME)
  set(sunder_wanted core)
  foreach(part IN ITEMS IO VIDEO REPORT)
    if(SUNDER_${part})
      string(TOLOWER ${part} part)
      list(APPEND sunder_wanted ${part})
    endif()
  endforeach()
endif()

find_dependency(Eigen3 3.4 ${sunder_required})
find_dependency(OpenMP ${sunder_required} COMPONENTS CXX)
find_dependency(fmt ${sunder_required})
find_dependency(PkgConfig ${sunder_required})
pkg_check_modules(HWY ${sunder_required} QUIET IMPORTED_TARGET libhwy)
set(sunder_modules HWY)
if("io" IN_LIST sunder_wanted)
  find_dependency(ZLIB ${sunder_required})
  if(SUNDER_HDF5)
    pkg_check_modules(HDF5 ${sunder_required} QUIET IMPORTED_TARGET hdf5-serial)
    list(APPEND sunder_modules HDF5)
  endif()
  if(SUNDER_MATIO)
    pkg_check_modules(MATIO ${sunder_required} QUIET IMPORTED_TARGET matio)
    list(APPEND sunder_modules MATIO)
  endif()
  # Our own build needs FFmpeg's headers. The libraries are loaded when a video is opened
  # (src/io/files/delayed_library.hpp), so that whoever links to sunder does not look for them.
  if(SUNDER_VIDEO AND NOT DEFINED CMAKE_FIND_PACKAGE_NAME)
    pkg_check_modules(LIBAV REQUIRED QUIET IMPORTED_TARGET libavformat libavcodec libswscale libavutil)
    list(APPEND sunder_modules LIBAV)
    # Optional: reading cameras.
    pkg_check_modules(LIBAVDEVICE QUIET IMPORTED_TARGET libavdevice)
  endif()
endif()
foreach(library IN LISTS sunder_modules)
  if(NOT ${library}_FOUND)
    set(sunder_NOT_FOUND_MESSAGE "sunder needs ${library}, which pkg-config does not find.")
    set(sunder_FOUND FALSE)
    return()
  endif()
endforeach()
set(sunder_dependencies_found TRUE)

# What only our own build needs.
if(NOT DEFINED CMAKE_FIND_PACKAGE_NAME)
  if(SUNDER_IO)
    find_package(nlohmann_json 3.11 REQUIRED)
  endif()
  if(SUNDER_REPORT)
    find_package(CLI11 REQUIRED)
  endif()
endif()
