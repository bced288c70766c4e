# What sunder is built on; the Debian package of each is in scripts/setup. This file is installed
# too, because a static libsunder passes its needs on to whoever links it.
include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4)
find_dependency(OpenMP COMPONENTS CXX)
find_dependency(fmt)
find_dependency(PkgConfig)
pkg_check_modules(HDF5 REQUIRED QUIET IMPORTED_TARGET hdf5-serial)
pkg_check_modules(MATIO REQUIRED QUIET IMPORTED_TARGET matio)
pkg_check_modules(HWY REQUIRED QUIET IMPORTED_TARGET libhwy)
pkg_check_modules(LIBAV REQUIRED QUIET IMPORTED_TARGET libavformat libavcodec libswscale libavutil)

if(PROJECT_NAME STREQUAL "sunder")
  find_package(nlohmann_json 3.11 REQUIRED)
  find_package(CLI11 REQUIRED)
endif()
