#include "sunder/io/tensor_file.hpp"

#include <fmt/format.h>

#include "io/files/open_array.hpp"
#include "io/files/parted_file.hpp"
#include "io/files/raw_file.hpp"
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
  if (std::unique_ptr<TensorFile> video = open_by_content(place, Content::video)) return video;
  refuse_unknown_format(place.path);
}

}  // namespace sunder
