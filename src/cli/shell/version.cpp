#include "cli/shell/version.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <hwy/targets.h>

#include <Eigen/Core>
#include <bit>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>
#if SUNDER_WITH_HDF5
#include <H5public.h>
#endif
#ifdef SUNDER_WITH_MPI
#include <mpi.h>
#endif
#if SUNDER_WITH_VIDEO
#include "io/video/libav_functions.hpp"
#include "sunder/core/error.hpp"
#endif

namespace sunder::cli {

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// Lists the instruction sets that the kernels are compiled for and this machine supports, the one
/// in use first.
std::string simd_targets() {
  std::string names;
  auto targets = static_cast<std::uint64_t>(hwy::SupportedTargets() & HWY_TARGETS);
  for (; targets != 0; targets &= targets - 1) {
    const std::uint64_t best = std::uint64_t{1} << std::countr_zero(targets);
    names +=
        (names.empty() ? "" : ", ") + std::string(hwy::TargetName(static_cast<std::int64_t>(best)));
  }
  return names;
}

/// Returns the version of OpenMP as the date of the standard.
std::string openmp_version() {
#ifdef _OPENMP
  return fmt::format("{}", _OPENMP);
#else
  return "none";
#endif
}

std::string mpi_version() {
#ifdef SUNDER_WITH_MPI
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);  // one of the few calls that do not need MPI_Init
  const std::string whole(text, static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
#else
  return "none";
#endif
}

std::string hdf5_version() {
#if SUNDER_WITH_HDF5
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
#else
  return "none";
#endif
}

std::string ffmpeg_version() {
#if SUNDER_WITH_VIDEO
  try {
    return av_version_info();
  } catch (const InputError&) {
    return "not installed";
  }
#else
  return "none";
#endif
}

/// Linked libraries report the version that runs; headers, the version that was compiled.
Facts build_facts() {
  return {{"compiler", SUNDER_COMPILER},
          {"build", SUNDER_BUILD_TYPE},
          {"simd", simd_targets()},
          {"openmp", openmp_version()},
          {"mpi", mpi_version()},
          {"hdf5", hdf5_version()},
          {"ffmpeg", ffmpeg_version()},
          {"eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)}};
}

}  // namespace

std::string version_for_people() {
  std::string text = "sunder " SUNDER_VERSION;
  for (const auto& [name, value] : build_facts()) text += fmt::format("\n  {:<9}{}", name, value);
  return text;
}

std::string version_as_json() {
  nlohmann::ordered_json json = {{"sunder", SUNDER_VERSION}};
  for (const auto& [name, value] : build_facts()) json[name] = value;
  return json.dump(2);
}

}  // namespace sunder::cli
