// Arrays in .npy, .mat and HDF5 files, told apart by their first bytes: described, read whole and
// in parts.
#include <vector>

#include "fuzz.hpp"
#include "io/open_array.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sunder;
  static const fuzz::Scratch scratch;
  const std::string path = scratch.file("array", {data, size});
  return fuzz::expect_answer_or_error([&] {
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
