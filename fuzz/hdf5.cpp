// Arrays in HDF5 and .mat 7.3 files. A target of its own: a longer run ends in a crash of libhdf5
// itself sooner or later (docs/reliability.md).
#include "read_array.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sunder::fuzz;
  return is_hdf5(data, size) ? read_array(data, size) : 0;
}
