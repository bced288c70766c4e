#include "io/mat/mat5_check.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using testing::expect_error;
using testing::TemporaryFolder;

std::string number(std::size_t value) {
  std::string bytes;
  for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> 8 * k & 0xff);
  return bytes;
}

std::string tagged(std::size_t type, std::string data) {
  const std::string tag = number(type) + number(data.size());
  data.resize((data.size() + 7) / 8 * 8);
  return tag + data;
}

enum Class : std::size_t { cell = 1, structure = 2, numbers = 6, function = 16 };

/// A matrix of 1 x `count` entries of this class, with what belongs to them.
std::string matrix(Class kind, std::size_t count, const std::string& contents) {
  return tagged(14, tagged(6, number(kind) + number(0)) + tagged(5, number(1) + number(count)) +
                        tagged(1, "x") + contents);
}

std::string fields(std::size_t length, const std::string& names) {
  return number(4 << 16 | 5) + number(length) + tagged(1, names);
}

std::string packed(const std::string& element) {
  std::string out(compressBound(element.size()), '\0');
  uLongf size = out.size();
  compress(reinterpret_cast<Bytef*>(out.data()), &size,
           reinterpret_cast<const Bytef*>(element.data()), element.size());
  return number(15) + number(size) + out.substr(0, size);
}

/// As it is, and packed.
class Mat5Check : public ::testing::TestWithParam<bool> {
 protected:
  void check(const std::string& element) const {
    std::string header(124, ' ');
    header += std::string("\0\1IM", 4);
    testing::write_bytes(folder_ / "a.mat", header + (GetParam() ? packed(element) : element));
    require_sound_mat5(folder_ / "a.mat");
  }
  void expect_refused(const std::string& element) const {
    expect_error<InputError>([&] { check(element); }, {"a.mat", "promises more"});
  }

 private:
  TemporaryFolder folder_;
};

const std::string scalar = matrix(numbers, 1, tagged(9, std::string(8, '\0')));

TEST_P(Mat5Check, TakesCellsAndStructures) {
  check(scalar);
  check(matrix(cell, 0, ""));
  check(matrix(cell, 3, scalar + scalar + scalar));
  check(matrix(cell, 2, matrix(cell, 2, scalar + scalar) + tagged(14, "")));
  check(matrix(structure, 2, fields(8, std::string(16, 'a')) + scalar + scalar + scalar + scalar));
  check(matrix(structure, 1, fields(8, "")));
  check(matrix(function, 1, scalar));
}

TEST_P(Mat5Check, RefusesMoreEntriesThanThereIsRoomFor) {
  for (const Class kind : {cell, function}) {
    expect_refused(matrix(kind, 1'000'000'000, scalar));
    expect_refused(matrix(cell, 2, scalar + matrix(kind, 1'000'000'000, scalar)));
  }
  expect_refused(matrix(structure, 1'000'000'000, fields(8, "abcdefgh") + scalar));
  expect_refused(matrix(structure, 100, fields(1, std::string(1000, 'a')) + scalar));
}

TEST_P(Mat5Check, RefusesWhatIsNoMatrixWithinOne) {
  expect_refused(matrix(cell, 1, tagged(9, std::string(8, '\0'))));
  expect_refused(matrix(cell, 1, number(14) + number(1 << 30)));
  expect_refused(matrix(structure, 1, fields(0, "a") + scalar));
}

TEST_P(Mat5Check, RefusesCellsWithinCellsWithoutEnd) {
  std::string element = scalar;
  for (int depth = 0; depth < 60; ++depth) element = matrix(cell, 1, element);
  check(element);
  for (int depth = 0; depth < 10; ++depth) element = matrix(cell, 1, element);
  expect_refused(element);
}

INSTANTIATE_TEST_SUITE_P(Storage, Mat5Check, ::testing::Bool(),
                         [](const auto& packed) { return packed.param ? "Packed" : "Plain"; });

}  // namespace
}  // namespace sunder
