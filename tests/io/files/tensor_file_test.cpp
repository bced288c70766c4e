#include "sunder/io/tensor_file.hpp"

#include <gtest/gtest.h>
#if SUNDER_WITH_HDF5
#include <hdf5.h>
#endif

#include "io/expect_error.hpp"
#include "io/other_programs.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/npy.hpp"
#if SUNDER_WITH_VIDEO
#include "io/write_video.hpp"
#endif

namespace sunder {
namespace {

namespace fs = std::filesystem;
using testing::expect_error;
using testing::TemporaryFolder;

#if SUNDER_WITH_HDF5
void write_hdf5(const fs::path& path, hsize_t user_block) {
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(creation, user_block);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  const hsize_t extents[] = {2, 3};
  const hid_t space = H5Screate_simple(2, extents, nullptr);
  const hid_t data =
      H5Dcreate2(file, "x:y", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dclose(data);
  H5Sclose(space);
  H5Fclose(file);
  H5Pclose(creation);
}
#endif

TEST(OpenTensor, FormatsAreToldByContents) {
  const TemporaryFolder folder;
  write_npy(folder / "array.mat", DenseTensor({2, 3}).view());
  EXPECT_EQ(open_tensor(folder / "array.mat")->format(), "NumPy .npy 1.0");
#if SUNDER_WITH_HDF5
  for (const hsize_t user_block : {0U, 512U, 2048U}) {
    write_hdf5(folder / "data.npy", user_block);
    EXPECT_EQ(open_tensor(folder / "data.npy")->format(), "HDF5");
  }
#endif
#if SUNDER_WITH_VIDEO
  testing::write_video(folder / "film.mkv", {AV_CODEC_ID_FFV1, AV_PIX_FMT_GRAY8});
  fs::rename(folder / "film.mkv", folder / "film.h5");
  EXPECT_EQ(open_tensor(folder / "film.h5")->format(), "video (ffv1)");
#endif
}

TEST(OpenTensor, NameAfterTheColon) {
  const TemporaryFolder folder;
  const std::string npy = folder / "a.npy";
  write_npy(npy, DenseTensor({2, 3}).view());
  expect_error<InputError>([&] { open_tensor(npy + ":x"); }, {"a.npy", "'x'", "leave out ':x'"});
#if SUNDER_WITH_HDF5
  write_hdf5(folder / "a.h5", 0);
  expect_error<InputError>([&] { open_tensor((folder / "a.h5").string() + ":/no"); },
                           {"a.h5", "'/no'", "/x:y: 2 x 3 float32"});
#endif
  expect_error<InputError>([&] { open_tensor((folder / "no.h5").string() + ":/x"); },
                           {"no.h5:/x", "no such file"});
}

TEST(OpenTensor, AFileWithAColonInItsNameIsAFile) {
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", DenseTensor({2, 3}).view());
  write_npy(folder / "a.npy:x", DenseTensor({4, 5}).view());
  EXPECT_EQ(open_tensor(folder / "a.npy:x")->shape(), (Shape{4, 5}));
}

TEST(OpenTensor, OtherFilesAreRefusedWithTheListOfFormats) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "a.csv", "1,2,3\n4,5,6\n");
  testing::write_bytes(folder / "a.npy", "N");
  for (const std::string name : {"a.csv", "a.npy"}) {
    expect_error<InputError>([&] { open_tensor(folder / name); },
                             {name, "none of the formats", ".npy", "video"});
  }
}

TEST(OpenTensor, UnreadablePlacesSayWhy) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "empty", "");
  expect_error<InputError>([&] { open_tensor(folder / "empty"); }, {"empty", "is empty"});
  expect_error<InputError>([&] { open_tensor(folder / "no"); }, {"no such file"});
  expect_error<InputError>([&] { open_tensor(folder.path()); }, {"is a folder"});
  expect_error<InputError>([&] { open_tensor(""); }, {"no such file"});
}

TEST(OpenTensor, LayoutIsSaidForPeople) {
  const TemporaryFolder folder;
  write_npy(folder / "c.npy", DenseTensor({2, 3}).view());
  write_npy(folder / "f.npy", DenseTensor({2, 3}, ScalarType::f64, StorageOrder::fortran).view());
  EXPECT_EQ(open_tensor(folder / "c.npy")->layout(), "C order");
  EXPECT_EQ(open_tensor(folder / "f.npy")->layout(), "Fortran order");
}

#if SUNDER_WITH_MATIO && SUNDER_WITH_VIDEO
TEST(OpenTensor, RealData) {
  SUNDER_REQUIRE_DATA(claus, "claus_X.npy");
  SUNDER_REQUIRE_DATA(dorrit, "dorrit.mat");
  SUNDER_REQUIRE_DATA(abilene, "abilene.mat");
  SUNDER_REQUIRE_DATA(curtain, "curtain.mkv");
  EXPECT_EQ(open_tensor(*claus)->shape(), (Shape{5, 201, 61}));
  EXPECT_EQ(open_tensor(*dorrit + ":X1")->shape(), (Shape{27, 121, 24}));
  EXPECT_EQ(open_tensor(*dorrit)->shape(), (Shape{27, 121, 24}));
  EXPECT_EQ(open_tensor(*abilene)->format(), "MATLAB 7.3");
  EXPECT_EQ(open_tensor(*curtain)->shape(), (Shape{128, 160, 3, 233}));
}
#endif

}  // namespace
}  // namespace sunder
