#include "io/files/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
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

TEST(AvailableMemory, EndsWhereTheAddressSpaceDoes) {
  std::ifstream table("/proc/self/statm");
  rlim_t pages = 0;
  ASSERT_TRUE(table >> pages);
  constexpr std::size_t left = std::size_t{64} << 20;
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  struct rlimit limit = before;
  limit.rlim_cur = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + left;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
  const std::size_t available = available_memory();
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_LE(available, left);
  EXPECT_GT(available, left / 2);
}

}  // namespace
}  // namespace sunder
