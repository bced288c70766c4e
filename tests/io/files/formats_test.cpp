#include "io/files/formats.hpp"

#include <gtest/gtest.h>

#include <set>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using testing::expect_error;
using testing::TemporaryFolder;

TEST(Formats, EachHasANameAndIsBuiltInOrNamesItsOption) {
  std::set<std::string_view> names;
  for (const Format& format : tensor_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_TRUE(format.open != nullptr || format.option.starts_with("SUNDER_")) << format.name;
    EXPECT_TRUE(format.open == nullptr || format.recognises != nullptr) << format.name;
  }
}

TEST(Formats, AFileOfAFormatThatIsLeftOutNamesTheOption) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "a.mat", "MATLAB 5.0 MAT-file, and so on");
  testing::write_bytes(folder / "a.h5", "\x89HDF\r\n\x1a\n");
  for (const Format& format : tensor_formats()) {
    for (const std::string name : {"a.mat", "a.h5"}) {
      if (format.open != nullptr || format.recognises == nullptr) continue;
      if (!format.recognises(folder / name)) continue;
      const std::string option = std::string(format.option) + "=ON";
      expect_error<InputError>([&] { open_tensor(folder / name); }, {name, "this build", option});
    }
  }
}

TEST(Formats, AnUnknownFileListsWhatThisBuildReads) {
  for (const Format& format : tensor_formats()) {
    const bool listed = format.open != nullptr || format.recognises == nullptr;
    const std::string expected(listed ? format.name : "");
    expect_error<InputError>([] { refuse_unknown_format("a.txt"); }, {"a.txt", expected});
    if (format.recognises == nullptr) {
      const std::string option = std::string(format.option) + "=ON";
      expect_error<InputError>([] { refuse_unknown_format("a.txt"); }, {"a.txt", option});
    }
  }
}

}  // namespace
}  // namespace sunder
