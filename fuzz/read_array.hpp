#pragma once
/// What both targets of arrays do with a file.

#include <vector>

#include "fuzz.hpp"
#include "io/files/open_array.hpp"
#include "io/files/signatures.hpp"

namespace sunder::fuzz {

inline bool is_hdf5(const std::uint8_t* data, std::size_t size) {
  return find_superblock({reinterpret_cast<const std::byte*>(data), size}).has_value();
}

/// Described, read whole, in slabs and by entry.
inline int read_array(const std::uint8_t* data, std::size_t size) {
  static const Scratch scratch;
  const std::string path = scratch.file("array", {data, size});
  return expect_answer_or_error([&] {
    const auto file = open_array({path, ""});
    if (!file) return;
    file->format();
    // Up to here no more memory may have been asked for than the file can account for.
    if (file->shape().entries() > Index{1} << 20) return;
    const LoadedTensor loaded = file->load();
    double sum = 0;
    const Index entries = loaded.view.entries();
    for (Index p = 0; p < entries; p += 1 + entries / 64) {
      const ModeIndices index = loaded.view.shape().unravel(p);
      sum += loaded.view({index.data(), static_cast<std::size_t>(loaded.view.order())});
    }
    file->scan([&](const TensorView& slab) {
      sum += static_cast<double>(slab.entries());
      return Continue::yes;
    });
    if (entries == 0) return;
    const auto reader = file->reader();
    std::vector<std::byte> first(size_of(file->type()));
    reader->read(0, 1, first.data());
  });
}

}  // namespace sunder::fuzz
