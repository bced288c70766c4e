#include "io/files/delayed_library.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sunder {
namespace {

TEST(DelayedLibrary, AFunctionIsFoundAtItsFirstCall) {
  constexpr DelayedLibrary mathematics("libm.so.6", "roots");
  DelayedFunction<double(double)> cube_root(mathematics, "cbrt");
  EXPECT_DOUBLE_EQ(cube_root(27), 3);
  EXPECT_DOUBLE_EQ(cube_root(8), 2);
}

TEST(DelayedLibrary, WhatIsMissingIsNamed) {
  constexpr DelayedLibrary absent("libabsent.so.1", "videos");
  DelayedFunction<void()> function(absent, "anything");
  try {
    function();
    FAIL() << "no error";
  } catch (const MissingLibrary& error) {
    EXPECT_NE(std::string(error.what()).find("videos need libabsent.so.1"), std::string::npos);
  }
  constexpr DelayedLibrary mathematics("libm.so.6", "roots");
  DelayedFunction<void()> unknown(mathematics, "no_such_function");
  EXPECT_THROW(unknown(), MissingLibrary);
}

}  // namespace
}  // namespace sunder
