#include "io/memory.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "io/temporary_folder.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;
using testing::write_bytes;

TEST(GroupHeadroom, IsTheTightestLimitOnTheWayUp) {
  const TemporaryFolder root;
  fs::create_directories(root / "a/b");
  EXPECT_EQ(group_headroom(root.path(), "a/b"), std::numeric_limits<std::size_t>::max());
  write_bytes(root / "a/b/memory.max", "max\n");
  write_bytes(root / "a/memory.max", "5000\n");
  write_bytes(root / "a/memory.current", "3000\n");
  EXPECT_EQ(group_headroom(root.path(), "a/b"), 2000U);
  write_bytes(root / "a/memory.stat", "anon 700\ninactive_file 1200\nactive_file 9\n");
  EXPECT_EQ(group_headroom(root.path(), "a/b"), 3200U);
  write_bytes(root / "memory.max", "900\n");
  write_bytes(root / "memory.current", "100\n");
  EXPECT_EQ(group_headroom(root.path(), "a/b"), 800U);
  write_bytes(root / "memory.current", "1000\n");
  EXPECT_EQ(group_headroom(root.path(), "a"), 0U);
}

TEST(AvailableMemory, IsThatOfAMachine) {
  EXPECT_GT(available_memory(), std::size_t{1} << 20);
  EXPECT_LT(available_memory(), std::size_t{1} << 50);
}

}  // namespace
}  // namespace sunder
