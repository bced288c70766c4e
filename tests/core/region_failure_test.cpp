#include "core/region_failure.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>

namespace sunder {
namespace {

TEST(RegionFailure, TravelsOutOfARegion) {
  for (const int threads : {1, 2}) {
    RegionFailure failure;
    std::atomic<int> done = 0;
#pragma omp parallel for num_threads(threads)
    for (int k = 0; k < 100; ++k) {
      failure.guard([&] {
        if (k == 60) throw std::bad_alloc();
        ++done;
      });
    }
    EXPECT_THROW(failure.rethrow(), std::bad_alloc);
    EXPECT_LT(done, 100);
  }
}

TEST(RegionFailure, TheFirstCounts) {
  RegionFailure failure;
  EXPECT_TRUE(failure.guard([] {}));
  failure.rethrow();
  EXPECT_FALSE(failure.guard([] { throw std::runtime_error("first"); }));
  bool begun = false;
  EXPECT_FALSE(failure.guard([&] { begun = true; }));
  EXPECT_FALSE(begun);
  EXPECT_THROW(failure.rethrow(), std::runtime_error);
}

}  // namespace
}  // namespace sunder
