#include "sunder/io/npy.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <limits>

#include "io/counting.hpp"
#include "io/expect_error.hpp"
#include "io/npy/npy_file.hpp"
#include "io/other_programs.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using namespace testing;

constexpr ScalarType all_types[] = {ScalarType::f64, ScalarType::f32, ScalarType::u8,
                                    ScalarType::u16, ScalarType::i16, ScalarType::i32};

void expect_equal(const TensorView& a, const TensorView& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (Index p = 0; p < a.entries(); ++p) {
    const ModeIndices index = a.shape().unravel(p);
    ASSERT_EQ(a(index), b(index)) << "entry " << p;
  }
}

TEST(Npy, RoundTripOfEveryTypeAndOrder) {
  const TemporaryFolder folder;
  for (const ScalarType type : all_types) {
    for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
      const DenseTensor tensor = counting({3, 4, 5}, type, order);
      write_npy(folder / "a.npy", tensor.view());
      const NpyFile file(folder / "a.npy");
      EXPECT_EQ(file.type(), type);
      EXPECT_EQ(file.storage_order(), order);
      EXPECT_EQ(file.format(), "NumPy .npy 1.0");
      expect_equal(file.load().view, tensor.view());
    }
  }
}

TEST(Npy, StridedViewsAreWrittenInCOrder) {
  const TemporaryFolder folder;
  const DenseTensor tensor = counting({4, 5, 6}, ScalarType::i16, StorageOrder::c);
  const int modes[] = {1, 2, 0};
  const TensorView permuted = tensor.view().permuted(modes);
  ModeIndices strides{-30, 0, 2};
  const TensorView odd(tensor.typed<std::int16_t>().data() + 90, ScalarType::i16, {4, 3, 3},
                       strides);
  for (const TensorView& view : {permuted, odd, permuted.slab(1, 2, 5)}) {
    write_npy(folder / "a.npy", view);
    const NpyFile file(folder / "a.npy");
    EXPECT_EQ(file.storage_order(), StorageOrder::c);
    expect_equal(file.load().view, view);
  }
}

TEST(Npy, StridedViewLargerThanTheBuffer) {
  const TemporaryFolder folder;
  const DenseTensor tensor = counting({300, 3, 301}, ScalarType::f32, StorageOrder::c);
  const int modes[] = {2, 0, 1};
  write_npy(folder / "a.npy", tensor.view().permuted(modes));
  expect_equal(NpyFile(folder / "a.npy").load().view, tensor.view().permuted(modes));
}

TEST(Npy, EveryPrefixOfAFileIsRefused) {
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", counting({2, 3}, ScalarType::f32, StorageOrder::c).view());
  const std::string whole = testing::read_bytes(folder / "a.npy");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    testing::write_bytes(folder / "b.npy", whole.substr(0, size));
    EXPECT_THROW(NpyFile{folder / "b.npy"}, InputError) << size;
  }
}

TEST(Npy, VectorsAndEmptyModesOpen) {
  const TemporaryFolder folder;
  write_npy(folder / "v.npy", Vector(Vector::LinSpaced(5, 1, 5)));
  EXPECT_EQ(NpyFile(folder / "v.npy").shape(), (Shape{5}));
  write_npy(folder / "e.npy", DenseTensor({3, 0, 2}).view());
  const NpyFile empty(folder / "e.npy");
  EXPECT_EQ(empty.load().view.shape(), (Shape{3, 0, 2}));
  empty.scan([](const TensorView&) {
    ADD_FAILURE() << "a slab of nothing";
    return Continue::yes;
  });
}

TEST(Npy, UnreadablePlacesSayWhy) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "empty.npy", "");
  ASSERT_EQ(::mkfifo((folder / "pipe.npy").c_str(), 0600), 0);
  expect_error<InputError>([&] { NpyFile{folder / "empty.npy"}; }, {"empty.npy", "is empty"});
  expect_error<InputError>([&] { NpyFile{folder / "no.npy"}; }, {"no.npy", "no such file"});
  expect_error<InputError>([&] { NpyFile{folder.path()}; }, {"is a folder"});
  expect_error<InputError>([&] { NpyFile{folder / "pipe.npy"}; }, {"not a regular file"});
}

TEST(Npy, NoPermissionSaysSo) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", DenseTensor({2, 2}).view());
  ::chmod((folder / "a.npy").c_str(), 0);
  expect_error<InputError>([&] { NpyFile{folder / "a.npy"}; }, {"a.npy", "permission denied"});
}

TEST(Npy, ScanGivesBoundedSlabsInOrder) {
  const TemporaryFolder folder;
  for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
    const Shape shape = order == StorageOrder::c ? Shape{5, 1000, 4000} : Shape{1000, 4000, 5};
    write_npy(folder / "a.npy", counting(shape, ScalarType::f64, order).view());
    double next = 1;
    int slabs = 0;
    NpyFile(folder / "a.npy").scan([&](const TensorView& slab) {
      EXPECT_EQ(slab.typed<double>()[0], next);
      EXPECT_LE(slab.entries() * 8, 64 << 20);
      next += static_cast<double>(slab.entries());
      ++slabs;
      return Continue::yes;
    });
    EXPECT_EQ(next, 5.0 * 4e6 + 1);
    EXPECT_GT(slabs, 1);
  }
}

TEST(Npy, ScanStopsWhenCancelled) {
  const TemporaryFolder folder;
  write_npy(folder / "a.npy", DenseTensor({4, 5000000}).view());
  int slabs = 0;
  NpyFile(folder / "a.npy").scan([&](const TensorView&) {
    ++slabs;
    return Continue::cancel;
  });
  EXPECT_EQ(slabs, 1);
}

TEST(Npy, MatricesAndVectors) {
  const TemporaryFolder folder;
  const Matrix matrix = Matrix::Random(4, 3);
  write_npy(folder / "m.npy", matrix);
  EXPECT_EQ(read_npy_matrix(folder / "m.npy"), matrix);
  write_npy(folder / "m.npy", counting({2, 3}, ScalarType::u16, StorageOrder::c).view());
  EXPECT_EQ(read_npy_matrix(folder / "m.npy"), (Matrix(2, 3) << 1, 2, 3, 4, 5, 6).finished());
  write_npy(folder / "m.npy", Matrix(5, 0));
  EXPECT_EQ(read_npy_matrix(folder / "m.npy").rows(), 5);
  const Vector vector = Vector::Random(6);
  write_npy(folder / "v.npy", vector);
  EXPECT_EQ(read_npy_vector(folder / "v.npy"), vector);
  expect_error<InputError>([&] { read_npy_matrix(folder / "v.npy"); }, {"v.npy", "matrix", "6"});
  expect_error<InputError>([&] { read_npy_vector(folder / "m.npy"); }, {"m.npy", "vector"});
}

TEST(Npy, FailedWriteLeavesNothing) {
  const TemporaryFolder folder;
  expect_error<WriteError>([&] { write_npy(folder / "no/a.npy", Vector(3)); }, {"No such file"});
  expect_error<OutputError>([&] { write_npy(folder.path(), Vector(3)); }, {"not a regular file"});

  // A full disk, as far as the writer can tell.
  write_npy(folder / "a.npy", Vector(Vector::Ones(3)));
  struct rlimit old {};
  ::getrlimit(RLIMIT_FSIZE, &old);
  struct rlimit small = old;
  small.rlim_cur = 1000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  expect_error<WriteError>([&] { write_npy(folder / "a.npy", Vector(1000)); },
                           {"a.npy", "File too large"});
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(testing::names_in(folder.path()), std::vector<std::string>{"a.npy"});
  EXPECT_EQ(read_npy_vector(folder / "a.npy"), Vector(Vector::Ones(3)));
}

TEST(Npy, FilesHonourTheUmask) {
  const TemporaryFolder folder;
  const mode_t old = ::umask(027);
  write_npy(folder / "a.npy", Vector(3));
  ::umask(old);
  struct stat status {};
  ::stat((folder / "a.npy").c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(Npy, NumpyReadsOurs) {
  const auto python = testing::python_with("numpy");
  if (!python) GTEST_SKIP() << "no python3 with numpy";
  const TemporaryFolder folder;
  for (const ScalarType type : all_types) {
    const std::string name(to_string(type));
    write_npy(folder / (name + "_c.npy"), counting({3, 4, 5}, type, StorageOrder::c).view());
    write_npy(folder / (name + "_f.npy"), counting({3, 4, 5}, type, StorageOrder::fortran).view());
  }
  const std::vector<Index> indices = {1, 2, 3, 4, 5, 6};
  write_npy(folder / "indices.npy", indices, 2);
  write_npy(folder / "vector.npy", Vector(Vector::Ones(3)));
  EXPECT_TRUE(testing::run_python(*python, folder.path(), R"(
import numpy as np
types = dict(f64="f8", f32="f4", u8="u1", u16="u2", i16="i2", i32="i4")
for name, dtype in types.items():
    for order in "cf":
        a = np.load(name + "_" + order + ".npy")
        assert a.dtype == np.dtype(dtype), a.dtype
        assert (a == np.arange(1, 61).reshape((3, 4, 5), order=order.upper())).all()
        assert a.flags.f_contiguous == (order == "f")
i = np.load("indices.npy")
assert i.dtype == np.int64 and (i == [[1, 2], [3, 4], [5, 6]]).all()
assert np.load("vector.npy").shape == (3,)
)"));
}

TEST(Npy, WeReadNumpys) {
  const auto python = testing::python_with("numpy");
  if (!python) GTEST_SKIP() << "no python3 with numpy";
  const TemporaryFolder folder;
  ASSERT_TRUE(testing::run_python(*python, folder.path(), R"(
import numpy as np
types = dict(f64="f8", f32="f4", u8="u1", u16="u2", i16="i2", i32="i4")
for name, dtype in types.items():
    for order in "cf":
        for version in (1, 2, 3):
            a = np.arange(1, 61).reshape((3, 4, 5), order=order.upper()).astype(dtype, order="K")
            with open(name + "_" + order + str(version) + ".npy", "wb") as f:
                np.lib.format.write_array(f, a, version=(version, 0))
)"));
  for (const ScalarType type : all_types) {
    for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
      for (const std::string version : {"1", "2", "3"}) {
        const std::string suffix = (order == StorageOrder::c ? "_c" : "_f") + version + ".npy";
        const NpyFile file(folder / (std::string(to_string(type)) + suffix));
        EXPECT_EQ(file.type(), type);
        EXPECT_EQ(file.storage_order(), order);
        EXPECT_EQ(file.format(), "NumPy .npy " + version + ".0");
        expect_equal(file.load().view, counting({3, 4, 5}, type, order).view());
      }
    }
  }
}

}  // namespace
}  // namespace sunder
