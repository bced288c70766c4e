// Names of tensors within files: FILE:NAME, for HDF5 and .mat, and lists of parts.
#include "fuzz.hpp"
#include "io/open_array.hpp"
#include "io/parted_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sunder;
  static const fuzz::Scratch scratch;
  const std::string text(data, data + size);
  fuzz::expect_answer_or_error([&] { split_location(text); });
  const std::string list = scratch.file("parts.json", {data, size});
  return fuzz::expect_answer_or_error([&] {
    const PartedFile file(list);
    double x = 0;
    if (file.type() == ScalarType::f64) file.reader()->read(0, 1, &x);
  });
}
