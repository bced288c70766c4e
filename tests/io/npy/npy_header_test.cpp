#include "io/npy/npy_header.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "io/expect_error.hpp"
#include "io/npy/npy_file.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using testing::expect_error;
using testing::TemporaryFolder;

/// A .npy file made by hand.
std::string npy_bytes(int version, const std::string& dictionary, const std::string& data) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k) {
    bytes += static_cast<char>(dictionary.size() >> (8 * k) & 0xff);
  }
  return bytes + dictionary + data;
}

std::string doubles(int count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1.0);
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

TEST(NpyHeader, UnusualButValidHeaders) {
  const TemporaryFolder folder;
  for (const char* const text : {
           "{'shape':(2,3),'fortran_order':False,'descr':'<f8'}",
           "  { \"descr\" : \"<f8\" ,\n\t'fortran_order':False,'shape' : ( 2 , 3 , ) , } \n\n",
           "{'descr': '=f8', 'fortran_order': False, 'shape': (2L, 3L)}",
           "{'descr': 'f8', 'fortran_order': False, 'shape': (2, 3,), }",
       }) {
    testing::write_bytes(folder / "a.npy", npy_bytes(1, text, doubles(6)));
    const LoadedTensor loaded = NpyFile(folder / "a.npy").load();
    EXPECT_EQ(loaded.view.shape(), (Shape{2, 3})) << text;
    EXPECT_EQ(loaded.view({1, 0}), 4.0) << text;
  }
}

TEST(NpyHeader, MalformedHeadersAreRefusedWithTheNameOfTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder / "bad.npy";
  const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
  struct Case {
    std::string bytes;
    std::string says;
  };
  const auto header = [](const std::string& text) { return npy_bytes(1, text, doubles(6)); };
  const Case cases[] = {
      {"\x93NUMPX\1", "does not begin as"},
      {"\x93NUMPY", "within its header"},
      {std::string("\x93NUMPY\1\0", 8), "within its header"},
      {std::string("\x93NUMPY\1\0\xff\xff{}", 12), "promises 65545 bytes where 12 came"},
      {std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14), "within its header"},
      {npy_bytes(4, good, doubles(6)), "version 4.0"},
      {npy_bytes(0, good, doubles(6)), "version 0.0"},
      {header(""), "expected '{'"},
      {header("{"), "quoted string"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)"), "expected '}'"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)} x"), "text after"},
      {header("{'descr': '<f8', 'fortran_order': False}"), "'shape' is missing"},
      {header("{'descr': '<f8', 'shape': (2, 3)}"), "'fortran_order' is missing"},
      {header("{'fortran_order': False, 'shape': (2, 3)}"), "'descr' is missing"},
      {header("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (6,)}"), "twice"},
      {header("{'descr': '<f8', 'fortran_order': 0, 'shape': (2, 3)}"), "True or False"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': (6)}"), "a shape is a tuple"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 3)}"), "not negative"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3.0)}"), "expected ')'"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}"),
       "above 2^63"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), 'x': 1}"), "a key other"},
      {header("{'descr': '<f8, 'fortran_order': False, 'shape': (2, 3)}"), "malformed"},
      {header("{'descr': [('a', '<f8', 'fortran_order': False"), "without an end"},
      {header("{'descr': '<f8"), "without an end"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': ()}"), "single number"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}"), "order 9"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': (100000, 100000, 100000)}"),
       "promises 8000000000000000 bytes"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': (4000000000000000000,)}"),
       "more entries than can be addressed"},
      {header("{'descr': '<f8', 'fortran_order': False, 'shape': (7,)}"),
       "promises 56 bytes of entries (7), but 48 came"},
  };
  for (const Case& c : cases) {
    testing::write_bytes(path, c.bytes);
    SCOPED_TRACE(c.bytes);
    expect_error<InputError>([&] { NpyFile{path}; }, {path, c.says});
  }
}

TEST(NpyHeader, UnsupportedTypesAreNamedWithAWayOut) {
  const TemporaryFolder folder;
  const std::string path = folder / "bad.npy";
  const std::vector<std::vector<std::string>> cases = {
      {"'<i8'", "<i8", "astype(np.float64)"},
      {"'<u8'", "<u8", "astype(np.float64)"},
      {"'<u4'", "<u4", "astype(np.float64)"},
      {"'|i1'", "|i1", "astype(np.int16)"},
      {"'<f2'", "<f2", "astype(np.float32)"},
      {"'>f8'", ">f8", "big-endian", "astype('<f8')"},
      {"'>i4'", ">i4", "astype('<i4')"},
      {"'<c16'", "<c16", "array.real"},
      {"'|O'", "|O", "pickled"},
      {"'<U5'", "<U5", "text"},
      {"'|S5'", "|S5", "text"},
      {"'<M8[ns]'", "<M8[ns]", "astype"},
      {"'<f16'", "<f16", "astype(np.float64)"},
      {"''", "dtype"},
      {"[('a', '<f4'), ('b', '<i2', (2,))]", "('b', '<i2', (2,))", "array['field']"},
  };
  for (const std::vector<std::string>& c : cases) {
    testing::write_bytes(
        path, npy_bytes(1, "{'descr': " + c[0] + ", 'fortran_order': False, 'shape': (2, 3), }",
                        doubles(12)));
    std::vector<std::string> says(c.begin() + 1, c.end());
    says.push_back(path);
    expect_error<InputError>([&] { NpyFile{path}; }, says);
  }
}

TEST(NpyHeader, HeaderIsPaddedTo64Bytes) {
  for (const Shape& shape : {Shape{1}, Shape{10, 20}, Shape{1, 2, 3, 4, 5, 6, 7, 8},
                             Shape{123456789, 1234567, 1234}, Shape{5, 0}}) {
    const std::string header = format_npy_header("<f8", StorageOrder::c, shape);
    EXPECT_EQ(header.size() % 64, 0U);
    EXPECT_EQ(header.back(), '\n');
    const NpyHeader parsed =
        parse_npy_header(std::as_bytes(std::span<const char>(header)), "header");
    EXPECT_EQ(parsed.shape, shape);
    EXPECT_EQ(parsed.data_offset, header.size());
  }
}

TEST(NpyHeader, EveryVersionIsRead) {
  const TemporaryFolder folder;
  for (const int version : {1, 2, 3}) {
    const std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n";
    testing::write_bytes(folder / "a.npy", npy_bytes(version, text, doubles(6)));
    const NpyFile file(folder / "a.npy");
    EXPECT_EQ(file.format(), "NumPy .npy " + std::to_string(version) + ".0");
    const LoadedTensor loaded = file.load();
    EXPECT_EQ(loaded.view({1, 2}), 6.0);
    EXPECT_EQ(loaded.view({0, 1}), 2.0);
  }
}

TEST(NpyHeader, MisalignedEntriesAreCopied) {
  const TemporaryFolder folder;
  for (const std::string spaces : {"", " ", "  ", "   "}) {
    const std::string text = "{'descr':'<f8','fortran_order':True,'shape':(2,3)}" + spaces + "\n";
    testing::write_bytes(folder / "a.npy", npy_bytes(1, text, doubles(6)));
    const NpyFile file(folder / "a.npy");
    const LoadedTensor loaded = file.load();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(loaded.view.data()) % alignof(double), 0U);
    EXPECT_EQ(loaded.view({1, 2}), 6.0);
    EXPECT_EQ(loaded.view({1, 0}), 2.0);
    Index seen = 0;
    file.scan([&](const TensorView& slab) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(slab.data()) % alignof(double), 0U);
      seen += slab.entries();
      return Continue::yes;
    });
    EXPECT_EQ(seen, 6);
  }
}

TEST(NpyHeader, BoolIsReadAsBytes) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "a.npy",
                       npy_bytes(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }",
                                 std::string("\1\0\1", 3)));
  const NpyFile file(folder / "a.npy");
  EXPECT_EQ(file.type(), ScalarType::u8);
  EXPECT_EQ(file.load().view({2}), 1.0);
}

/// A writer that learns the shape at the end writes the header twice, at the same length.
TEST(NpyHeader, LengthCanBeReserved) {
  for (const Index frames : {Index{0}, Index{7}, Index{1} << 30}) {
    const Shape shape{1000, 2000, 3, frames};
    const std::string header = format_npy_header("<u2", StorageOrder::fortran, shape, 192);
    EXPECT_EQ(header.size(), 192U);
    const NpyHeader parsed = parse_npy_header(std::as_bytes(std::span(header)), "a.npy");
    EXPECT_EQ(parsed.shape, shape);
    EXPECT_EQ(parsed.data_offset, 192U);
  }
}

}  // namespace
}  // namespace sunder
