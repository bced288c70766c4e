#include "report/figures/image_codes.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace sunder {
namespace {

using Codes = std::vector<std::uint8_t>;

TEST(ImageCodes, SpanTheScaleWithZeroInTheMiddle) {
  EXPECT_EQ(image_codes(std::vector<float>{-2, -1, 0, 1, 2}, -2, 2), (Codes{0, 64, 127, 191, 254}));
}

TEST(ImageCodes, ClampAndMarkWhatIsMissing) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float missing = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(image_codes(std::vector<float>{-9, 9, infinity, -infinity, missing}, 0, 1),
            (Codes{0, 254, 254, 0, 255}));
}

TEST(ImageCodes, AScaleOfNoLengthIsNoDivisionByZero) {
  EXPECT_EQ(image_codes(std::vector<float>{0, 0}, 0, 0), (Codes{0, 0}));
}

/// The vectors of RFC 4648, section 10.
TEST(Base64, TestVectors) {
  const auto encoded = [](std::string_view text) {
    return base64(Codes(text.begin(), text.end()));
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(Codes{255, 254, 0}), "//4A");
}

}  // namespace
}  // namespace sunder
