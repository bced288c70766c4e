#include "io/mat/mat_file.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <numeric>
#include <random>

#include "io/expect_error.hpp"
#include "io/other_programs.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using testing::expect_error;
using testing::TemporaryFolder;

struct Kind {
  ScalarType type;
  matio_classes mat_class;
  matio_types mat_type;
  std::string matlab;
};
const Kind kinds[] = {{ScalarType::f64, MAT_C_DOUBLE, MAT_T_DOUBLE, "double"},
                      {ScalarType::f32, MAT_C_SINGLE, MAT_T_SINGLE, "single"},
                      {ScalarType::u8, MAT_C_UINT8, MAT_T_UINT8, "uint8"},
                      {ScalarType::u16, MAT_C_UINT16, MAT_T_UINT16, "uint16"},
                      {ScalarType::i16, MAT_C_INT16, MAT_T_INT16, "int16"},
                      {ScalarType::i32, MAT_C_INT32, MAT_T_INT32, "int32"}};

class MatWriter {
 public:
  MatWriter(const fs::path& path, mat_ft version)
      : file_(Mat_CreateVer(path.c_str(), nullptr, version)) {}
  ~MatWriter() { Mat_Close(file_); }
  MatWriter(const MatWriter&) = delete;
  MatWriter& operator=(const MatWriter&) = delete;

  /// 1, 2, 3, ... in MATLAB's order.
  void counting(const std::string& name, const Kind& kind, const Shape& shape,
                matio_compression compression = MAT_COMPRESSION_NONE, int flags = 0) {
    DenseTensor tensor(shape, kind.type, StorageOrder::fortran);
    with_scalar_type(kind.type, [&]<class T>() {
      std::iota(tensor.typed<T>().begin(), tensor.typed<T>().end(), static_cast<T>(1));
    });
    std::vector<std::size_t> extents(shape.begin(), shape.end());
    mat_complex_split_t complex{tensor.data(), tensor.data()};
    void* const data = (flags & MAT_F_COMPLEX) != 0 ? static_cast<void*>(&complex) : tensor.data();
    matvar_t* const variable = Mat_VarCreate(name.c_str(), kind.mat_class, kind.mat_type,
                                             shape.order(), extents.data(), data, flags);
    EXPECT_EQ(Mat_VarWrite(file_, variable, compression), 0);
    Mat_VarFree(variable);
  }

 private:
  mat_t* file_;
};

/// Entry at position p of MATLAB's order is p + 1, whether loaded or scanned.
void expect_counting_columns(const TensorFile& file, const Shape& shape, ScalarType type) {
  ASSERT_EQ(file.shape(), shape);
  ASSERT_EQ(file.type(), type);
  EXPECT_EQ(file.layout(), "Fortran order");
  const auto check = [&](const TensorView& view, Index first) {
    with_scalar_type(type, [&]<class T>() {
      for (Index p = 0; p < view.entries(); ++p) {
        ASSERT_EQ(view.typed<T>()[p], static_cast<T>(first + p + 1)) << "position " << first + p;
      }
    });
  };
  check(file.load().view, 0);
  Index seen = 0;
  file.scan([&](const TensorView& slab) {
    check(slab, seen);
    seen += slab.entries();
    return Continue::yes;
  });
  EXPECT_EQ(seen, shape.entries());
}

TEST(MatFile, EveryClassAndVersion) {
  const TemporaryFolder folder;
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
      for (const Kind& kind : kinds) {
        SCOPED_TRACE(kind.matlab);
        MatWriter(folder / "a.mat", version).counting("X", kind, {3, 4, 5}, compression);
        const MatFile file(folder / "a.mat", "");
        EXPECT_EQ(file.format(), version == MAT_FT_MAT5 ? "MATLAB 5" : "MATLAB 7.3");
        expect_counting_columns(file, {3, 4, 5}, kind.type);
      }
    }
  }
}

TEST(MatFile, OrdersOtherThanThree) {
  const TemporaryFolder folder;
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    for (const Shape& shape : {Shape{7, 1}, Shape{2, 3}, Shape{2, 3, 2, 2}, Shape{2, 1, 2, 3, 2}}) {
      MatWriter(folder / "a.mat", version).counting("X", kinds[0], shape, MAT_COMPRESSION_ZLIB);
      expect_counting_columns(MatFile(folder / "a.mat", "X"), shape, ScalarType::f64);
    }
  }
}

TEST(MatFile, ScanOfSeveralSlabs) {
  const TemporaryFolder folder;
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
      SCOPED_TRACE(::testing::Message() << version << ' ' << compression);
      const Shape shape{5000, 5000, 3};
      MatWriter(folder / "a.mat", version).counting("X", kinds[2], shape, compression);
      const MatFile file(folder / "a.mat", "");
      int slabs = 0;
      Index seen = 0;
      file.scan([&](const TensorView& slab) {
        ++slabs;
        EXPECT_EQ(slab.typed<std::uint8_t>()[0], static_cast<std::uint8_t>(seen + 1));
        seen += slab.entries();
        EXPECT_EQ(slab.typed<std::uint8_t>()[slab.entries() - 1], static_cast<std::uint8_t>(seen));
        return Continue::yes;
      });
      EXPECT_EQ(slabs, 2);
      EXPECT_EQ(seen, shape.entries());
    }
  }
}

TEST(MatFile, VariablesAreChosenByName) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.mat";
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    {
      MatWriter writer(path, version);
      writer.counting("first", kinds[0], {2, 3, 4});
      writer.counting("second", kinds[2], {5, 2});
    }
    expect_counting_columns(MatFile(path, "second"), {5, 2}, ScalarType::u8);
    expect_error<InputError>([&] { MatFile(path, ""); },
                             {path, "first: 2 x 3 x 4 double", "second: 5 x 2 uint8", "FILE:NAME"});
    expect_error<InputError>([&] { MatFile(path, "third"); },
                             {path, "'third'", "first: 2 x 3 x 4 double", "second: 5 x 2 uint8"});
  }
}

TEST(MatFile, UnsupportedClassesAreNamed) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.mat";
  {
    MatWriter writer(path, MAT_FT_MAT5);
    writer.counting("z", kinds[0], {2, 3}, MAT_COMPRESSION_NONE, MAT_F_COMPLEX);
    writer.counting("x", kinds[0], {2, 3});
  }
  expect_error<InputError>([&] { MatFile(path, "z"); }, {path, "complex double"});
  expect_counting_columns(MatFile(path, ""), {2, 3}, ScalarType::f64);
}

TEST(MatFile, LogicalIsReadAsBytes) {
  const TemporaryFolder folder;
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    MatWriter(folder / "a.mat", version)
        .counting("mask", kinds[2], {2, 2}, MAT_COMPRESSION_NONE, MAT_F_LOGICAL);
    EXPECT_EQ(MatFile(folder / "a.mat", "").type(), ScalarType::u8);
  }
}

TEST(MatFile, EveryCutOffFileIsRefused) {
  const TemporaryFolder folder;
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
      MatWriter(folder / "a.mat", version).counting("X", kinds[0], {3, 4, 5}, compression);
      const std::string whole = testing::read_bytes(folder / "a.mat");
      for (std::size_t size = 1; size < whole.size(); size += 1 + size / 50) {
        testing::write_bytes(folder / "b.mat", whole.substr(0, size));
        EXPECT_THROW(MatFile(folder / "b.mat", "").load(), InputError) << size;
      }
    }
  }
}

TEST(MatFile, AShapeBeyondTheFileIsRefused) {
  const TemporaryFolder folder;
  MatWriter(folder / "a.mat", MAT_FT_MAT5).counting("X", kinds[0], {3, 4, 5});
  std::string bytes = testing::read_bytes(folder / "a.mat");
  const std::string extents("\3\0\0\0\4\0\0\0\5\0\0\0", 12);
  const std::size_t at = bytes.find(extents);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 2] = 1;  // 65539 x 4 x 5
  testing::write_bytes(folder / "a.mat", bytes);
  expect_error<InputError>([&] { MatFile(folder / "a.mat", ""); }, {"a.mat:X", "65539 x 4 x 5"});
}

// matio would allocate, and fill, eight bytes for each mode that the file promises.
TEST(MatFile, ModesBeyondCountingAreRefused) {
  const TemporaryFolder folder;
  const auto number = [](std::uint32_t value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  std::string header = "MATLAB 5.0 MAT-file";
  header.resize(124, ' ');
  header += std::string("\0\1IM", 4);
  const std::string matrix = number(14) + number(40) + number(6) + number(8) + number(6) +
                             number(0) + number(5) + number(0xffffffee) + std::string(16, '\1');
  std::string packed(compressBound(matrix.size()), '\0');
  uLongf length = packed.size();
  ASSERT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &length,
                     reinterpret_cast<const Bytef*>(matrix.data()), matrix.size()),
            Z_OK);
  packed.resize(length);
  for (const std::string& element :
       {matrix, number(15) + number(static_cast<std::uint32_t>(length)) + packed}) {
    testing::write_bytes(folder / "modes.mat", header + element);
    expect_error<InputError>([&] { MatFile(folder / "modes.mat", ""); }, {"promises more"});
  }
}

TEST(MatFile, DamageNeverCrashes) {
  const TemporaryFolder folder;
  std::mt19937 random(1);
  for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    MatWriter(folder / "a.mat", MAT_FT_MAT5).counting("X", kinds[0], {3, 4, 5}, compression);
    const std::string whole = testing::read_bytes(folder / "a.mat");
    for (int trial = 0; trial < 300; ++trial) {
      std::string bytes = whole;
      bytes[128 + random() % (bytes.size() - 128)] = static_cast<char>(random() & 0xff);
      testing::write_bytes(folder / "b.mat", bytes);
      try {
        const MatFile file(folder / "b.mat", "");
        EXPECT_EQ(file.load().view.shape(), file.shape());
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("b.mat"));
      }
    }
  }
}

TEST(MatFile, ScipysFiles) {
  const auto python = testing::python_with("scipy.io");
  if (!python) GTEST_SKIP() << "no python3 with scipy";
  const TemporaryFolder folder;
  ASSERT_TRUE(testing::run_python(*python, folder.path(), R"(
import numpy as np, scipy.io, scipy.sparse
x = np.arange(1, 61).reshape((3, 4, 5), order="F")
for c in (False, True):
    scipy.io.savemat("x%d.mat" % c, dict(x=x.astype("f8")), do_compression=c)
scipy.io.savemat("all.mat", dict(i=x.astype("i8"), s=scipy.sparse.eye(3), t="text",
                                 st=dict(a=1.0), c=np.array([1, "a"], dtype=object)))
)"));
  expect_counting_columns(MatFile(folder / "x0.mat", ""), {3, 4, 5}, ScalarType::f64);
  expect_counting_columns(MatFile(folder / "x1.mat", "x"), {3, 4, 5}, ScalarType::f64);
  const std::string path = folder / "all.mat";
  expect_error<InputError>([&] { MatFile(path, ""); }, {"no numeric", "i: 3 x 4 x 5 int64"});
  const std::vector<std::pair<std::string, std::string>> classes = {
      {"i", "int64"}, {"s", "sparse"}, {"t", "char"}, {"st", "struct"}, {"c", "cell"}};
  for (const auto& expected : classes) {
    expect_error<InputError>([&] { MatFile(path, expected.first); },
                             {path + ":" + expected.first, expected.second});
  }
}

TEST(MatFile, OctavesFiles) {
  if (!testing::has_octave()) GTEST_SKIP() << "no octave-cli";
  const TemporaryFolder folder;
  std::string script = "x = reshape(1:60, 3, 4, 5); mask = x > 30; z = x + 1i; s = sparse(eye(3));";
  std::string names = "x mask z s";
  for (const Kind& kind : kinds) {
    script += "x_" + kind.matlab + " = " + kind.matlab + "(x);";
    names += " x_" + kind.matlab;
  }
  script += "save -v7 v7.mat " + names + "; save -v6 v6.mat " + names + ";";
  ASSERT_TRUE(testing::run_octave(folder.path(), script));
  for (const std::string name : {"v6.mat", "v7.mat"}) {
    for (const Kind& kind : kinds) {
      SCOPED_TRACE(name + ":" + kind.matlab);
      expect_counting_columns(MatFile(folder / name, "x_" + kind.matlab), {3, 4, 5}, kind.type);
    }
    const MatFile mask(folder / name, "mask");
    EXPECT_EQ(mask.type(), ScalarType::u8);
    EXPECT_EQ(mask.load().view({2, 3, 4}), 1.0);
    EXPECT_EQ(mask.load().view({0, 0, 0}), 0.0);
    expect_error<InputError>([&] { MatFile(folder / name, "z"); }, {"complex double"});
    expect_error<InputError>([&] { MatFile(folder / name, "s"); }, {"sparse"});
  }
}

TEST(MatFile, Dorrit) {
  SUNDER_REQUIRE_DATA(path, "dorrit.mat");
  const MatFile file(*path, "X1");
  EXPECT_EQ(file.shape(), (Shape{27, 121, 24}));
  EXPECT_EQ(file.format(), "MATLAB 5");
  const LoadedTensor loaded = file.load();
  const double* const entries = loaded.view.typed<double>();
  EXPECT_EQ(std::count_if(entries, entries + loaded.view.entries(),
                          [](double x) { return std::isnan(x); }),
            1420);
}

TEST(MatFile, Abilene) {
  SUNDER_REQUIRE_DATA(path, "abilene.mat");
  const MatFile file(*path, "");
  EXPECT_EQ(file.format(), "MATLAB 7.3");
  EXPECT_GE(file.shape().order(), 2);
  const LoadedTensor loaded = file.load();
  Index position = 0;
  file.scan([&](const TensorView& slab) {
    EXPECT_EQ(slab.typed<double>()[0], loaded.view.typed<double>()[position]);
    position += slab.entries();
    return Continue::yes;
  });
  EXPECT_EQ(position, file.shape().entries());
}

}  // namespace
}  // namespace sunder
