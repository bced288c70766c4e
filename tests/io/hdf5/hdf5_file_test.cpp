#include "io/hdf5/hdf5_file.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

#include "io/expect_error.hpp"
#include "io/hdf5/hdf5_writer.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using testing::expect_error;
using testing::Hdf5Writer;
using testing::TemporaryFolder;

void expect_counting_rows(const TensorFile& file, const Shape& shape, ScalarType type) {
  ASSERT_EQ(file.shape(), shape);
  ASSERT_EQ(file.type(), type);
  const LoadedTensor loaded = file.load();
  for (Index p = 0; p < shape.entries(); ++p) {
    ASSERT_EQ(loaded.view(shape.unravel(p)), static_cast<double>(p + 1));
  }
  Index seen = 0;
  file.scan([&](const TensorView& slab) {
    for (Index p = 0; p < slab.entries(); ++p) {
      EXPECT_EQ(slab(slab.shape().unravel(p)), static_cast<double>(++seen));
    }
    return Continue::yes;
  });
  EXPECT_EQ(seen, shape.entries());
}

/// A dataset of 4 x 4 in chunks of 2 x 2, of which only the first is written.
void write_one_chunk(const fs::path& path, double fill) {
  const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  const std::array<hsize_t, 2> extents{4, 4};
  const std::array<hsize_t, 2> chunk{2, 2};
  const std::array<hsize_t, 2> begin{0, 0};
  const std::array<double, 4> values{1, 2, 3, 4};
  const Hdf5Handle space(H5Screate_simple(2, extents.data(), nullptr));
  const Hdf5Handle part(H5Screate_simple(2, chunk.data(), nullptr));
  const Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(layout.get(), 2, chunk.data());
  if (fill != 0) H5Pset_fill_value(layout.get(), H5T_NATIVE_DOUBLE, &fill);
  const Hdf5Handle data(H5Dcreate2(file.get(), "T", H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT,
                                   layout.get(), H5P_DEFAULT));
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, begin.data(), nullptr, chunk.data(), nullptr);
  ASSERT_GE(
      H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, part.get(), space.get(), H5P_DEFAULT, values.data()),
      0);
}

TEST(Hdf5File, ChunksThatNobodyWroteAreNoZeros) {
  const TemporaryFolder folder;
  const fs::path path = folder / "part.h5";
  write_one_chunk(path, 0);
  expect_error<InputError>([&] { Hdf5File(path, "/T").load(); },
                           {"3 of its 4 chunks were never written"});
  write_one_chunk(path, 7);
  expect_error<InputError>([&] { Hdf5File(path, "/T").load(); },
                           {"3 of its 4 chunks were never written"});
}

TEST(Hdf5File, ChunksThatNobodyWroteAreMissingIfTheFillValueIsNaN) {
  const TemporaryFolder folder;
  const fs::path path = folder / "part.h5";
  write_one_chunk(path, std::numeric_limits<double>::quiet_NaN());
  const Hdf5File file(path, "/T");
  const LoadedTensor loaded = file.load();
  EXPECT_EQ(loaded.view(ModeIndices{1, 1}), 4);
  EXPECT_TRUE(std::isnan(loaded.view(ModeIndices{3, 3})));
}

/// A virtual dataset of 2 x 3, whose rows come from a source each.
void write_virtual(const fs::path& path, const std::vector<std::string>& sources) {
  const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  const std::array<hsize_t, 2> extents{2, 3};
  const hsize_t length = 3;
  const Hdf5Handle row(H5Screate_simple(1, &length, nullptr));
  const std::array<double, 3> values{1, 2, 3};
  const Hdf5Handle first(H5Dcreate2(file.get(), "first", H5T_NATIVE_DOUBLE, row.get(), H5P_DEFAULT,
                                    H5P_DEFAULT, H5P_DEFAULT));
  H5Dwrite(first.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  const Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE));
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const Hdf5Handle part(H5Screate_simple(2, extents.data(), nullptr));
    const std::array<hsize_t, 2> begin{k, 0};
    const std::array<hsize_t, 2> count{1, 3};
    H5Sselect_hyperslab(part.get(), H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr);
    H5Pset_virtual(layout.get(), part.get(), ".", sources[k].c_str(), row.get());
  }
  const Hdf5Handle space(H5Screate_simple(2, extents.data(), nullptr));
  const Hdf5Handle data(H5Dcreate2(file.get(), "T", H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT,
                                   layout.get(), H5P_DEFAULT));
  ASSERT_TRUE(data);
}

TEST(Hdf5File, VirtualDatasetsNeedAllOfTheirSources) {
  const TemporaryFolder folder;
  const fs::path path = folder / "virtual.h5";
  write_virtual(path, {"/first", "/first"});
  EXPECT_EQ(Hdf5File(path, "/T").load().view(ModeIndices{1, 2}), 3);
  write_virtual(path, {"/first", "/second"});
  expect_error<InputError>([&] { Hdf5File(path, "/T").load(); },
                           {"its source '/second' in the same file"});
  write_virtual(path, {"/first"});
  expect_error<InputError>([&] { Hdf5File(path, "/T").load(); },
                           {"3 of its 6 entries have no source"});
}

TEST(Hdf5File, EveryTypeAndByteOrder) {
  const TemporaryFolder folder;
  const std::vector<std::pair<hid_t, ScalarType>> types = {
      {H5T_IEEE_F64LE, ScalarType::f64}, {H5T_IEEE_F64BE, ScalarType::f64},
      {H5T_IEEE_F32LE, ScalarType::f32}, {H5T_IEEE_F32BE, ScalarType::f32},
      {H5T_STD_U8LE, ScalarType::u8},    {H5T_STD_U16BE, ScalarType::u16},
      {H5T_STD_U16LE, ScalarType::u16},  {H5T_STD_I16LE, ScalarType::i16},
      {H5T_STD_I32LE, ScalarType::i32},  {H5T_STD_I32BE, ScalarType::i32}};
  for (const auto& [stored, type] : types) {
    for (const bool chunked : {false, true}) {
      Hdf5Writer(folder / "a.h5").dataset("x", stored, {3, 4, 5}, chunked);
      expect_counting_rows(Hdf5File(folder / "a.h5", ""), {3, 4, 5}, type);
      expect_counting_rows(Hdf5File(folder / "a.h5", "/x"), {3, 4, 5}, type);
    }
  }
}

TEST(Hdf5File, VectorsAndEmptyModesOpen) {
  const TemporaryFolder folder;
  Hdf5Writer(folder / "a.h5").dataset("x", H5T_NATIVE_DOUBLE, {5});
  expect_counting_rows(Hdf5File(folder / "a.h5", ""), {5}, ScalarType::f64);
  Hdf5Writer(folder / "a.h5").dataset("x", H5T_NATIVE_DOUBLE, {3, 0}, false, false);
  expect_counting_rows(Hdf5File(folder / "a.h5", ""), {3, 0}, ScalarType::f64);
}

TEST(Hdf5File, DatasetsAreChosenByName) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  {
    Hdf5Writer writer(path);
    writer.group("deep");
    writer.group("deep/er");
    writer.dataset("deep/er/x", H5T_NATIVE_INT16, {2, 3});
    writer.dataset("single", H5T_NATIVE_DOUBLE, {});
    writer.dataset("wide", H5T_NATIVE_INT64, {4});
  }
  expect_counting_rows(Hdf5File(path, ""), {2, 3}, ScalarType::i16);
  expect_counting_rows(Hdf5File(path, "/deep/er/x"), {2, 3}, ScalarType::i16);
  expect_error<InputError>([&] { Hdf5File(path, "/no"); },
                           {path, "'/no'", "/deep/er/x: 2 x 3 int16", "/wide: 4 int64"});
  expect_error<InputError>([&] { Hdf5File(path, "/deep"); }, {"no dataset '/deep'"});
  expect_error<InputError>([&] { Hdf5File(path, "/wide"); }, {path + ":/wide", "int64", "convert"});
  expect_error<InputError>([&] { Hdf5File(path, "/single"); }, {path + ":/single", "single value"});
}

TEST(Hdf5File, SeveralDatasetsAreListed) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  {
    Hdf5Writer writer(path);
    writer.dataset("a", H5T_NATIVE_DOUBLE, {2, 3});
    writer.dataset("b", H5T_NATIVE_UINT8, {4, 5, 6});
  }
  expect_error<InputError>([&] { Hdf5File(path, ""); },
                           {path, "several", "/a: 2 x 3 float64", "/b: 4 x 5 x 6 uint8"});
  expect_error<InputError>([&] { Hdf5File(folder / "none.h5", ""); }, {"no such file"});
}

TEST(Hdf5File, NoDatasetAtAll) {
  const TemporaryFolder folder;
  { const Hdf5Writer writer(folder / "a.h5"); }
  expect_error<InputError>([&] { Hdf5File(folder / "a.h5", ""); },
                           {"no numeric", "it holds no dataset"});
}

TEST(Hdf5File, UnsupportedTypesAreNamed) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  const Hdf5Handle compound(H5Tcreate(H5T_COMPOUND, 16));
  H5Tinsert(compound.get(), "r", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(compound.get(), "i", 8, H5T_NATIVE_DOUBLE);
  const Hdf5Handle text(H5Tcopy(H5T_C_S1));
  const std::vector<std::pair<hid_t, std::string>> types = {{compound.get(), "compound"},
                                                            {text.get(), "string"},
                                                            {H5T_NATIVE_INT64, "int64"},
                                                            {H5T_NATIVE_UINT32, "uint32"},
                                                            {H5T_NATIVE_INT8, "int8"}};
  for (const auto& [type, says] : types) {
    Hdf5Writer(path).dataset("x", type, {2, 2}, false, false);
    expect_error<InputError>([&] { Hdf5File(path, "x"); }, {path + ":x", says});
  }
}

TEST(Hdf5File, OrderNineIsRefused) {
  const TemporaryFolder folder;
  Hdf5Writer(folder / "a.h5")
      .dataset("x", H5T_NATIVE_DOUBLE, std::vector<hsize_t>(9, 1), false, false);
  expect_error<InputError>([&] { Hdf5File(folder / "a.h5", ""); }, {"a.h5", "order 9"});
}

TEST(Hdf5File, WhatCannotFitIsNotLoaded) {
  const TemporaryFolder folder;
  Hdf5Writer(folder / "a.h5")
      .dataset("x", H5T_NATIVE_DOUBLE, {100000, 100000, 100000}, true, false);
  const Hdf5File file(folder / "a.h5", "");
  EXPECT_EQ(file.shape(), (Shape{100000, 100000, 100000}));
  expect_error<InputError>([&] { file.load(); }, {"a.h5:/x", "7450580.6 GiB", "available"});
}

TEST(Hdf5File, ScanOfSeveralSlabs) {
  const TemporaryFolder folder;
  Hdf5Writer(folder / "a.h5").dataset("x", H5T_NATIVE_DOUBLE, {4, 3000, 1000});
  int slabs = 0;
  double next = 1;
  const Hdf5File file(folder / "a.h5", "");
  file.scan([&](const TensorView& slab) {
    ++slabs;
    EXPECT_EQ(slab({0, 0, 0}), next);
    next += static_cast<double>(slab.entries());
    return Continue::yes;
  });
  EXPECT_EQ(slabs, 2);
  EXPECT_EQ(next, 12e6 + 1);
  slabs = 0;
  file.scan([&](const TensorView&) {
    ++slabs;
    return Continue::cancel;
  });
  EXPECT_EQ(slabs, 1);
}

TEST(Hdf5File, EveryCutOffFileIsRefusedQuietly) {
  const TemporaryFolder folder;
  Hdf5Writer(folder / "a.h5").dataset("x", H5T_NATIVE_DOUBLE, {3, 4, 5}, true);
  const std::string whole = testing::read_bytes(folder / "a.h5");
  ::testing::internal::CaptureStderr();
  for (std::size_t size = 1; size < whole.size(); size += 37) {
    testing::write_bytes(folder / "b.h5", whole.substr(0, size));
    expect_error<InputError>([&] { Hdf5File(folder / "b.h5", "").load(); }, {"b.h5", "HDF5 says"});
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Hdf5File, TheCallersErrorHandlerComesBack) {
  const TemporaryFolder folder;
  H5E_auto2_t before = nullptr;
  H5E_auto2_t after = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  ASSERT_NE(before, nullptr);
  testing::write_bytes(folder / "a.h5", "not HDF5");
  EXPECT_THROW(Hdf5File(folder / "a.h5", ""), InputError);
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  EXPECT_EQ(before, after);
}

TEST(Hdf5Reader, ReadsWindowsAndPointsOfChunkedAndPlainDatasets) {
  const TemporaryFolder folder;
  const fs::path path = folder / "x.h5";
  {
    Hdf5Writer writer(path);
    writer.dataset("chunked", H5T_NATIVE_INT32, {13, 7, 5}, true);
    writer.dataset("plain", H5T_NATIVE_FLOAT, {13, 7, 5});
  }
  for (const char* name : {"chunked", "plain"}) {
    const std::unique_ptr<EntryReader> reader = Hdf5File(path, name).reader();
    ASSERT_EQ(reader->layout().shape(), (Shape{13, 7, 5}));
    ASSERT_EQ(reader->layout().stride(0), 35);
    with_scalar_type(reader->layout().type(), [&]<class T>() {
      std::vector<T> part(100);
      for (const Index first : {0, 33, 355}) {
        reader->read(first, 100, part.data());
        for (std::size_t k = 0; k < part.size(); ++k) {
          ASSERT_EQ(part[k], static_cast<T>(first + static_cast<Index>(k) + 1));
        }
      }
    });
    EXPECT_EQ(reader->bytes_read(), 13 * 35 * 4) << "a block that is there is not read again";
    std::vector<double> values(5);
    reader->read_at(std::vector<Index>{0, 36, 36, 200, 454}, values);
    EXPECT_EQ(values, (std::vector<double>{1, 37, 37, 201, 455}));
    EXPECT_GT(reader->bytes_read(), 13 * 35 * 4);
    EXPECT_EQ(reader->memory(), 13 * 35 * 4);
  }
}

TEST(Hdf5File, AnEmptyDatasetHasAReader) {
  const TemporaryFolder folder;
  Hdf5Writer(folder / "e.h5").dataset("/e", H5T_IEEE_F64LE, {0, 3}, false, false);
  const Hdf5File file(folder / "e.h5", "");
  EXPECT_EQ(file.reader()->memory(), 0);
}

TEST(Hdf5File, AHeaderCannotAskForMoreThanTheFileAccountsFor) {
  const TemporaryFolder folder;
  Hdf5Writer(folder / "p.h5").dataset("/p", H5T_IEEE_F64LE, {3, 5});
  std::string bytes = testing::read_bytes(folder / "p.h5");
  const std::string extents("\3\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0", 16);
  ASSERT_NE(bytes.find(extents), std::string::npos);
  bytes[bytes.find(extents) + 5] = 1;  // 2^40 + 3 rows
  testing::write_bytes(folder / "p.h5", bytes);
  expect_error<InputError>([&] { Hdf5File(folder / "p.h5", ""); }, {"p.h5"});
}

// libhdf5 would read a block as long as it says, up to 4 GiB, from a file of a few bytes.
TEST(Hdf5File, ADriverInTheSuperblockIsRefused) {
  const TemporaryFolder folder;
  Hdf5Writer(folder / "d.h5").dataset("/d", H5T_IEEE_F64LE, {3, 5});
  std::string bytes = testing::read_bytes(folder / "d.h5");
  ASSERT_EQ(bytes[8], 0);  // version of the superblock
  bytes[48] = 0x60;        // address of the driver's block
  testing::write_bytes(folder / "d.h5", bytes);
  expect_error<InputError>([&] { Hdf5File(folder / "d.h5", ""); }, {"h5repack"});
}

TEST(Hdf5File, WhatWasNeverWrittenIsBoundByTheMemory) {
  const TemporaryFolder folder;
  Hdf5Writer(folder / "c.h5").dataset("/c", H5T_IEEE_F64LE, {2, hsize_t{1} << 57}, true, false);
  const Hdf5File file(folder / "c.h5", "");
  expect_error<InputError>([&] { file.load(); }, {"GiB"});
  expect_error<InputError>([&] { file.scan([](const TensorView&) { return Continue::yes; }); },
                           {"GiB"});
}

}  // namespace
}  // namespace sunder
