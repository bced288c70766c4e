#include "io/hdf5/hdf5_coding.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "io/expect_error.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/hdf5/hdf5_writer.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using testing::expect_error;
using testing::Hdf5Writer;
using testing::TemporaryFolder;

void write_attribute(const fs::path& path, const std::string& name, hid_t type, double value) {
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  const Hdf5Handle data(H5Dopen2(file.get(), "T", H5P_DEFAULT));
  const Hdf5Handle space(H5Screate(H5S_SCALAR));
  const Hdf5Handle attribute(
      H5Acreate2(data.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT));
  ASSERT_GE(H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, &value), 0);
}

TEST(Hdf5Coding, PackedValuesAreRefused) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, double>> attributes = {
      {"scale_factor", 0.01}, {"add_offset", 273.15}, {"_FillValue", -32767}, {"missing_value", 7}};
  for (const auto& [name, value] : attributes) {
    SCOPED_TRACE(name);
    const fs::path path = folder / (name + ".nc");
    Hdf5Writer(path).dataset("T", H5T_NATIVE_INT16, {2, 3, 4});
    write_attribute(path, name, H5T_NATIVE_DOUBLE, value);
    expect_error<InputError>([&] { Hdf5File(path, "T"); }, {path.string() + ":T", name, "NaN"});
  }
}

TEST(Hdf5Coding, AttributesThatCodeNothingAreFine) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, double>> attributes = {
      {"scale_factor", 1},
      {"add_offset", 0},
      {"_FillValue", std::numeric_limits<double>::quiet_NaN()},
      {"valid_max", 7}};
  for (const auto& [name, value] : attributes) {
    SCOPED_TRACE(name);
    const fs::path path = folder / (name + ".nc");
    Hdf5Writer(path).dataset("T", H5T_NATIVE_DOUBLE, {2, 3, 4});
    write_attribute(path, name, H5T_NATIVE_DOUBLE, value);
    EXPECT_EQ(Hdf5File(path, "T").shape(), (Shape{2, 3, 4}));
  }
}

}  // namespace
}  // namespace sunder
