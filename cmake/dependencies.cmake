# What sunder is built on; the Debian package of each is in scripts/setup. This file is installed
# too, because a static libsunder passes its needs on to whoever links it.
include(CMakeFindDependencyMacro)

# Our own build stops at what is missing. In an installed package that is up to the caller of
# find_package(sunder): find_dependency() then reports and returns from this file.
set(sunder_required REQUIRED)
if(DEFINED CMAKE_FIND_PACKAGE_NAME)
  set(sunder_required "")
endif()
set(sunder_dependencies_found FALSE)

find_dependency(Eigen3 3.4 ${sunder_required})
find_dependency(OpenMP ${sunder_required} COMPONENTS CXX)
find_dependency(fmt ${sunder_required})
find_dependency(ZLIB ${sunder_required})
find_dependency(PkgConfig ${sunder_required})
pkg_check_modules(HDF5 ${sunder_required} QUIET IMPORTED_TARGET hdf5-serial)
pkg_check_modules(MATIO ${sunder_required} QUIET IMPORTED_TARGET matio)
pkg_check_modules(HWY ${sunder_required} QUIET IMPORTED_TARGET libhwy)
pkg_check_modules(LIBAV ${sunder_required} QUIET IMPORTED_TARGET libavformat libavcodec libswscale libavutil)
# Optional: reading cameras. An installed static library that was built with it needs it again.
pkg_check_modules(LIBAVDEVICE QUIET IMPORTED_TARGET libavdevice)
foreach(library HDF5 MATIO HWY LIBAV)
  if(NOT ${library}_FOUND)
    set(sunder_NOT_FOUND_MESSAGE "sunder needs ${library}, which pkg-config does not find.")
    set(sunder_FOUND FALSE)
    return()
  endif()
endforeach()
set(sunder_dependencies_found TRUE)

if(NOT DEFINED CMAKE_FIND_PACKAGE_NAME)
  find_package(nlohmann_json 3.11 REQUIRED)
  find_package(CLI11 REQUIRED)
endif()
