// Names of tensors within files, FILE:NAME for HDF5 and .mat, and lists of parts.
#include <hdf5.h>
#include <matio.h>

#include "fuzz.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/tensor_file.hpp"

namespace {

using namespace sunder;

/// A folder with one small file of each kind that the names and lists can point to.
class Files {
 public:
  Files() : hdf5(scratch.path() / "x.h5"), mat(scratch.path() / "x.mat") {
    const hid_t file = H5Fcreate(hdf5.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(file, "/g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t extents[] = {2, 3};
    const hid_t space = H5Screate_simple(2, extents, nullptr);
    H5Dclose(
        H5Dcreate2(group, "a", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Gclose(group);
    H5Fclose(file);
    mat_t* const out = Mat_CreateVer(mat.c_str(), nullptr, MAT_FT_MAT5);
    std::size_t dims[] = {2, 2};
    double values[4] = {1, 2, 3, 4};
    matvar_t* const variable = Mat_VarCreate("a", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, values, 0);
    Mat_VarWrite(out, variable, MAT_COMPRESSION_NONE);
    Mat_VarFree(variable);
    Mat_Close(out);
    write_npy(scratch.path() / "a.npy", DenseTensor(Shape{2, 2}).view());
  }
  fuzz::Scratch scratch;
  std::string hdf5;
  std::string mat;
};

void open(const std::string& location) {
  fuzz::expect_answer_or_error([&] { open_tensor(location)->load(); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Files files;
  const std::string text(data, data + size);
  if (text.starts_with('{')) {
    open(files.scratch.file("parts.json", {data, size}));
  } else {
    open(files.hdf5 + ":" + text);
    open(files.mat + ":" + text);
  }
  return 0;
}
