#include "io/files/parted_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/npy.hpp"

namespace sunder {
namespace {

using namespace testing;

class Parted : public ::testing::Test {
 protected:
  Parted() {
    auto* entries = static_cast<double*>(tensor.data());
    std::iota(entries, entries + tensor.entries(), 0.0);
    for (const TensorPart& part : list.parts) {
      write_npy(folder / part.file, tensor.view().slab(0, part.begin, part.end));
    }
    write_bytes(folder / "parts.json", render_parts(list));
  }

  TemporaryFolder folder;
  DenseTensor tensor{Shape{10, 3, 2}, ScalarType::f64};
  PartsList list{
      Shape{10, 3, 2}, ScalarType::f64, {{"a.npy", 0, 4}, {"b.npy", 3, 8}, {"c.npy", 8, 10}}};
};

TEST_F(Parted, IsTheWholeTensor) {
  const auto file = open_tensor((folder / "parts.json").string());
  EXPECT_EQ(file->shape(), (Shape{10, 3, 2}));
  EXPECT_EQ(file->format(), "3 parts in NumPy .npy");
  Index scanned = 0;
  file->scan([&](const TensorView& slab) {
    for (Index i = 0; i < slab.shape()[0]; ++i) {
      for (Index j = 0; j < 6; ++j) EXPECT_EQ(slab({i, j / 2, j % 2}), scanned++);
    }
    return Continue::yes;
  });
  EXPECT_EQ(scanned, 60);
  const LoadedTensor loaded = file->load();
  EXPECT_EQ(std::memcmp(loaded.view.data(), tensor.data(), 60 * sizeof(double)), 0);
  const auto reader = file->reader();
  for (Index first = 0; first < 60; ++first) {
    for (const Index count : {1, 7, 60 - static_cast<int>(first)}) {
      if (first + count > 60) continue;
      std::vector<double> out(count);
      reader->read(first, count, out.data());
      for (Index k = 0; k < count; ++k) EXPECT_EQ(out[k], first + k);
    }
  }
  const std::vector<Index> numbers = {0, 0, 5, 18, 23, 24, 47, 48, 59};
  std::vector<double> out(numbers.size());
  reader->read_at(numbers, out);
  for (std::size_t k = 0; k < numbers.size(); ++k) EXPECT_EQ(out[k], numbers[k]);
  EXPECT_GT(reader->bytes_read(), 0);
}

TEST_F(Parted, OnlyThePartsThatAreNeededMustBeThere) {
  std::filesystem::remove(folder / "c.npy");
  std::filesystem::remove(folder / "a.npy");
  const auto reader = PartedFile(folder / "parts.json").reader();
  std::vector<double> out(12);
  reader->read(18, 12, out.data());
  EXPECT_EQ(out[0], 18);
  expect_error<InputError>([&] { reader->read(12, 12, out.data()); }, {"row 2", "a.npy"});
  expect_error<InputError>([&] { reader->read(48, 1, out.data()); }, {"row 8", "c.npy"});
}

TEST_F(Parted, RefusesListsAndPartsThatDoNotFit) {
  const auto refuse = [&](const std::string& text, std::vector<std::string> words) {
    write_bytes(folder / "parts.json", text);
    expect_error<InputError>([&] { PartedFile(folder / "parts.json"); }, words);
  };
  refuse("", {"sunder split"});
  refuse("{}", {"sunder split"});
  refuse(R"({"shape":[2,2],"dtype":"f16","parts":[]})", {"dtype"});
  refuse(R"({"shape":[4,2],"dtype":"f64","parts":[{"file":"a.npy","begin":0,"end":3}]})",
         {"row 3"});
  refuse(R"({"shape":[4,2],"dtype":"f64","parts":[{"file":"a.npy","begin":0,"end":9}]})", {"9"});
  refuse(R"({"shape":[4,2],"dtype":"f64","parts":[{"file":"../a.npy","begin":0,"end":4}]})",
         {"not a file beside it"});
  list.parts[0].end = 5;
  write_bytes(folder / "parts.json", render_parts(list));
  double out = 0;
  expect_error<InputError>([&] { PartedFile(folder / "parts.json").reader()->read(0, 1, &out); },
                           {"a.npy should hold 5 x 3 x 2"});
}

TEST(PartOf, CoversTheSharesWithAMargin) {
  const Shape shape{1000, 500, 400};
  Index covered = 0;
  for (int k = 0; k < 7; ++k) {
    const TensorPart part = part_of(shape, k, 7);
    EXPECT_LE(part.begin, std::max<Index>(0, 1000 * k / 7 - 31));
    EXPECT_GE(part.end, std::min<Index>(1000, 1000 * (k + 1) / 7 + 31));
    EXPECT_LE(part.begin, covered);
    covered = part.end;
  }
  EXPECT_EQ(covered, 1000);
}

TEST_F(Parted, NumbersMustBeWhole) {
  for (const char* const shape : {"[2.5, 3]", "[1e300, 3]", "[18446744073709551615]", "[-1, 3]"}) {
    write_bytes(folder / "parts.json",
                fmt::format(R"({{"shape": {}, "dtype": "f64", "parts": []}})", shape));
    expect_error<InputError>([&] { PartedFile(folder / "parts.json"); }, {"parts.json"});
  }
}

TEST_F(Parted, AListCannotAskForMoreMemoryThanThereIs) {
  const PartsList huge{Shape{2, Index{1} << 57}, ScalarType::f64, {{"a.npy", 0, 2}}};
  write_bytes(folder / "parts.json", render_parts(huge));
  const PartedFile file(folder / "parts.json");
  expect_error<InputError>([&] { file.load(); }, {"GiB"});
  expect_error<InputError>([&] { file.scan([](const TensorView&) { return Continue::yes; }); },
                           {"GiB"});
}

}  // namespace
}  // namespace sunder
