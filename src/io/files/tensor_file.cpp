#include "sunder/io/tensor_file.hpp"

#include <fmt/format.h>

#include "io/files/open_array.hpp"
#include "io/files/parted_file.hpp"
#include "io/files/raw_file.hpp"
#include "io/video/video_file.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

LoadedTensor TensorFile::load_slab(int mode, Index begin, Index end) const {
  LoadedTensor whole = load();
  return {whole.view.slab(mode, begin, end), std::move(whole.owner)};
}

std::unique_ptr<EntryReader> TensorFile::reader() const {
  throw InputError(
      fmt::format("a file of format {} is read as a whole: save the tensor as .npy or HDF5, which "
                  "can be larger than memory",
                  format()));
}

std::unique_ptr<TensorFile> open_raw(const std::string& path, const RawLayout& layout) {
  return std::make_unique<RawFile>(path, layout);
}

std::unique_ptr<TensorFile> open_tensor(const std::string& location) {
  const TensorLocation place = split_location(location);
  if (is_parts_list(place.path)) {
    require_no_name(place, "a list of parts");
    return std::make_unique<PartedFile>(place.path);
  }
  if (std::unique_ptr<TensorFile> array = open_array(place)) return array;
  if (is_video(place.path)) {
    require_no_name(place, "a video");
    return std::make_unique<VideoFile>(place.path);
  }
  throw InputError(
      fmt::format("cannot read {}: it is none of the formats NumPy .npy, MATLAB .mat (version 5 or "
                  "7.3), HDF5, or a video that FFmpeg reads; convert it to one of them",
                  place.path.string()));
}

}  // namespace sunder
