#include "sunder/study/support_pattern.hpp"

#include <gtest/gtest.h>

#include "planted_problem.hpp"

namespace sunder {
namespace {

SparseTensor support(const Shape& shape, Support kind, double density, std::uint64_t seed) {
  PlantedOptions options = test::small_problem(seed);
  options.shape = shape;
  options.support = kind;
  options.density = density;
  return generate_planted(options).sparse;
}

TEST(SupportPattern, TellsBlocksFromScatteredEntries) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const Shape& shape : {Shape{40, 40, 40}, Shape{10, 60, 80}, Shape{90, 110}}) {
      for (const double density : {0.05, 0.2, 0.4}) {
        const SupportPattern scattered =
            pattern_of(support(shape, Support::uniform, density, seed));
        EXPECT_EQ(scattered.kind, SupportKind::scattered);
        EXPECT_NEAR(scattered.unevenness, 1, 0.3);
        EXPECT_NEAR(scattered.overlap, 1, 0.3);
      }
      EXPECT_EQ(pattern_of(support(shape, Support::block, 0.3, seed)).kind, SupportKind::blocks);
    }
  }
}

TEST(SupportPattern, SaysWhenThereIsTooLittle) {
  EXPECT_EQ(pattern_of(SparseTensor(Shape{5, 5, 5})).kind, SupportKind::too_few);
  EXPECT_EQ(pattern_of(SparseTensor(Shape{5, 5}, {3, 7}, {1, 1})).kind, SupportKind::too_few);
}

}  // namespace
}  // namespace sunder
