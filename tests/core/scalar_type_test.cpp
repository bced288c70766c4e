#include "sunder/core/scalar_type.hpp"

#include <gtest/gtest.h>

namespace sunder {
namespace {

constexpr ScalarType all[] = {ScalarType::f64, ScalarType::f32, ScalarType::u8,
                              ScalarType::u16, ScalarType::i16, ScalarType::i32};

TEST(ScalarType, NamesGoBothWays) {
  for (const ScalarType type : all) EXPECT_EQ(parse_scalar_type(to_string(type)), type);
  EXPECT_EQ(to_string(ScalarType::u16), "u16");
  EXPECT_FALSE(parse_scalar_type("f16"));
  EXPECT_FALSE(parse_scalar_type(""));
}

TEST(ScalarType, DispatchReachesTheTypeItself) {
  for (const ScalarType type : all) {
    EXPECT_EQ(with_scalar_type(type, []<class T>() { return scalar_type_of<T>(); }), type);
  }
}

TEST(ScalarType, Sizes) {
  EXPECT_EQ(size_of(ScalarType::f64), 8U);
  EXPECT_EQ(size_of(ScalarType::f32), 4U);
  EXPECT_EQ(size_of(ScalarType::u8), 1U);
  EXPECT_EQ(size_of(ScalarType::u16), 2U);
  EXPECT_EQ(size_of(ScalarType::i16), 2U);
  EXPECT_EQ(size_of(ScalarType::i32), 4U);
}

}  // namespace
}  // namespace sunder
