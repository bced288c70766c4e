#pragma once
/// Small HDF5 files for tests.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_handle.hpp"

namespace sunder::testing {

class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}

  void group(const std::string& name) {
    const Hdf5Handle made(
        H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }

  /// 1, 2, 3, ... in C order, stored as `stored`; nothing is written for an empty list of values.
  void dataset(const std::string& name, hid_t stored, const std::vector<hsize_t>& extents,
               bool chunked = false, bool fill = true) {
    const Hdf5Handle space(extents.empty() ? H5Screate(H5S_SCALAR)
                                           : H5Screate_simple(static_cast<int>(extents.size()),
                                                              extents.data(), nullptr));
    const Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE));
    if (chunked) {
      const std::vector<hsize_t> chunk(extents.size(), 2);
      H5Pset_chunk(layout.get(), static_cast<int>(chunk.size()), chunk.data());
      if (fill) H5Pset_deflate(layout.get(), 4);
    }
    const Hdf5Handle data(H5Dcreate2(file_.get(), name.c_str(), stored, space.get(), H5P_DEFAULT,
                                     layout.get(), H5P_DEFAULT));
    ASSERT_TRUE(data);
    if (!fill) return;
    const hsize_t count =
        std::accumulate(extents.begin(), extents.end(), hsize_t{1}, std::multiplies<>());
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), 1.0);
    ASSERT_GE(H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              0);
  }

 private:
  Hdf5Handle file_;
};

}  // namespace sunder::testing
