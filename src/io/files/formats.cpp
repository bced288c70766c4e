#include "io/files/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "io/files/signatures.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

// A build that leaves out a format does not link what belongs to it.
constexpr OpenTensorFile* mat_opener() {
  if constexpr (SUNDER_WITH_MATIO != 0) return &open_mat;
  return nullptr;
}
constexpr OpenTensorFile* hdf5_opener() {
  if constexpr (SUNDER_WITH_HDF5 != 0) return &open_hdf5;
  return nullptr;
}
constexpr OpenTensorFile* video_opener() {
  if constexpr (SUNDER_WITH_VIDEO != 0) return &open_video;
  return nullptr;
}
constexpr RecogniseFile* video_test() {
  if constexpr (SUNDER_WITH_VIDEO != 0) return &is_video;
  return nullptr;
}

constexpr Format formats[] = {
    {"NumPy .npy", "", Content::array, &is_npy, &open_npy},
    {"MATLAB .mat (version 5 or 7.3)", "SUNDER_MATIO", Content::array, &is_mat, mat_opener()},
    {"HDF5", "SUNDER_HDF5", Content::array, &is_hdf5, hdf5_opener()},
    {"a video that FFmpeg reads", "SUNDER_VIDEO", Content::video, video_test(), video_opener()},
};

}  // namespace

std::span<const Format> tensor_formats() { return formats; }

std::unique_ptr<TensorFile> open_by_content(const TensorLocation& location, Content content) {
  for (const Format& format : formats) {
    if (format.content != content || format.recognises == nullptr ||
        !format.recognises(location.path)) {
      continue;
    }
    if (format.open != nullptr) return format.open(location);
    throw InputError(
        fmt::format("cannot read {}: its format is {}, which this build of sunder does not read; "
                    "build sunder with {}=ON",
                    location.path.string(), format.name, format.option));
  }
  return nullptr;
}

void refuse_unknown_format(const std::filesystem::path& path) {
  std::vector<std::string_view> built;
  std::string further;
  for (const Format& format : formats) {
    if (format.open != nullptr) built.push_back(format.name);
    if (format.recognises == nullptr) {
      further +=
          fmt::format(", or build sunder with {}=ON if it is {}", format.option, format.name);
    }
  }
  if (built.size() == 1) {
    throw InputError(
        fmt::format("cannot read {}: it is none of the formats that this build of sunder reads "
                    "({}); convert it{}",
                    path.string(), built.front(), further));
  }
  const std::string_view last = built.back();
  built.pop_back();
  throw InputError(fmt::format(
      "cannot read {}: it is none of the formats {}, or {}; convert it to one of them{}",
      path.string(), fmt::join(built, ", "), last, further));
}

}  // namespace sunder
