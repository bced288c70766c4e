#include "io/files/plain_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "io/counting.hpp"
#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/rng.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder {
namespace {

using namespace testing;

TEST(PlainReader, ReadsEveryTypeAndOrderOfNpyFiles) {
  const TemporaryFolder folder;
  for (const ScalarType type : {ScalarType::f64, ScalarType::f32, ScalarType::u8, ScalarType::u16,
                                ScalarType::i16, ScalarType::i32}) {
    for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
      const DenseTensor tensor = counting(Shape{5, 4, 3}, type, order);
      write_npy(folder / "T.npy", tensor.view());
      const std::unique_ptr<EntryReader> reader =
          open_tensor((folder / "T.npy").string())->reader();
      const TensorView layout = reader->layout();
      EXPECT_EQ(layout.data(), nullptr);
      EXPECT_EQ(layout.type(), type);
      EXPECT_EQ(layout.stride(0), order == StorageOrder::c ? 12 : 1);
      std::vector<std::byte> part(10 * size_of(type));
      reader->read(7, 10, part.data());
      const auto* expected = static_cast<const std::byte*>(tensor.data()) + 7 * size_of(type);
      EXPECT_TRUE(std::equal(part.begin(), part.end(), expected));
      std::vector<double> values(4);
      reader->read_at(std::vector<Index>{0, 31, 31, 59}, values);
      EXPECT_EQ(values, (std::vector<double>{1, 32, 32, 60}));
    }
  }
}

TEST(PlainReader, ReadsScatteredEntriesWithoutTheRest) {
  const TemporaryFolder folder;
  const DenseTensor tensor = counting(Shape{300, 100, 100}, ScalarType::i32);
  write_npy(folder / "T.npy", tensor.view());
  const std::unique_ptr<EntryReader> reader = open_tensor((folder / "T.npy").string())->reader();
  Rng rng(4);
  std::vector<Index> numbers;
  for (Index at = 0; at < tensor.entries(); at += 1 + static_cast<Index>(rng.below(200'000))) {
    for (Index k = at; k < std::min(at + 3, tensor.entries()); ++k) numbers.push_back(k);
  }
  std::vector<double> values(numbers.size());
  reader->read_at(numbers, values);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    ASSERT_EQ(values[k], static_cast<double>(numbers[k] + 1));
  }
  // Three neighbours are in one block of the disk, or in two.
  const auto blocks = static_cast<std::int64_t>(numbers.size() / 3) + 1;
  EXPECT_GE(reader->bytes_read(), blocks * 4096 / 2);
  EXPECT_LE(reader->bytes_read(), 2 * blocks * 4096);
  EXPECT_LT(reader->bytes_read(), static_cast<std::int64_t>(tensor.bytes() / 10));
}

TEST(PlainReader, SaysWhenTheFileShrinks) {
  const TemporaryFolder folder;
  write_npy(folder / "T.npy", counting(Shape{50, 40}, ScalarType::f64).view());
  const std::unique_ptr<EntryReader> reader = open_tensor((folder / "T.npy").string())->reader();
  std::filesystem::resize_file(folder / "T.npy", 8000);
  std::vector<double> values(2000);
  expect_error<InputError>([&] { reader->read(0, 2000, values.data()); },
                           {"T.npy", "ends at byte"});
  expect_error<InputError>(
      [&] {
        reader->read_at(std::vector<Index>{0, 1999}, values);
      },
      {"T.npy", "ends at byte"});
}

TEST(RawFile, IsATensorOfTheShapeThatIsSaid) {
  const TemporaryFolder folder;
  const DenseTensor tensor = counting(Shape{6, 5, 4}, ScalarType::f32);
  testing::write_bytes(folder / "T.bin",
                       std::string(static_cast<const char*>(tensor.data()), tensor.bytes()));
  const std::string path = (folder / "T.bin").string();
  const auto file = open_raw(path, {Shape{6, 5, 4}, ScalarType::f32});
  EXPECT_EQ(file->load().view({5, 4, 3}), 120);
  std::vector<double> value(1);
  file->reader()->read_at(std::vector<Index>{77}, value);
  EXPECT_EQ(value[0], 78);
  Index seen = 0;
  file->scan([&](const TensorView& slab) {
    seen += slab.entries();
    return Continue::yes;
  });
  EXPECT_EQ(seen, 120);
  expect_error<InputError>(
      [&] {
        open_raw(path, {Shape{6, 5, 5}, ScalarType::f32});
      },
      {"T.bin", "600 bytes", "480", "`raw-shape`"});
}

}  // namespace
}  // namespace sunder
