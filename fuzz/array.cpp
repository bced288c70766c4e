// Arrays in .npy and .mat 5 files, told apart by their first bytes.
#include "read_array.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sunder::fuzz;
  return is_hdf5(data, size) ? 0 : read_array(data, size);
}
