#include "sunder/io/checkpoint_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using namespace testing;

const RunIdentity identity = {{"--rank", "5"}, {"the shape", "3 x 4"}};
const CheckpointFolder::Options resume{.resume = true};

std::vector<std::byte> state(int size, int value) {
  return std::vector<std::byte>(size, std::byte(value));
}

class Checkpoint : public ::testing::Test {
 protected:
  TemporaryFolder folder;
  std::filesystem::path place = folder / "chk";
};

TEST_F(Checkpoint, ALinkAsItsLockMakesNoFileElsewhere) {
  std::filesystem::create_directories(place);
  std::filesystem::create_symlink(folder / "elsewhere", place / "lock");
  expect_error<OutputError>([&] { CheckpointFolder(place, identity, {}); }, {"chk"});
  EXPECT_FALSE(std::filesystem::exists(folder / "elsewhere"));
}

TEST_F(Checkpoint, GoesOnFromTheLatest) {
  {
    CheckpointFolder keeper(place, identity, {});
    EXPECT_TRUE(keeper.kept().empty());
    keeper.keep(state(10, 1));
    keeper.keep(state(1000, 2));
  }
  const CheckpointFolder again(place, identity, resume);
  EXPECT_EQ(again.kept(), state(1000, 2));
  EXPECT_EQ(again.warning(), "");
}

TEST_F(Checkpoint, CanBeResumedFromTheBeginning) {
  { const CheckpointFolder keeper(place, identity, {}); }
  EXPECT_TRUE(CheckpointFolder(place, identity, resume).kept().empty());
}

TEST_F(Checkpoint, IsDueAfterTheInterval) {
  const CheckpointFolder soon(folder / "a", identity,
                              {.interval = std::chrono::duration<double>(0)});
  EXPECT_TRUE(soon.due());
  const CheckpointFolder late(folder / "b", identity, {});
  EXPECT_FALSE(late.due());
}

TEST_F(Checkpoint, OfAnotherRunIsRefusedWithTheDifference) {
  { const CheckpointFolder keeper(place, identity, {}); }
  const RunIdentity other = {{"--rank", "6"}, {"the shape", "3 x 4"}, {"--seed", "1"}};
  expect_error<InputError>(
      [&] { CheckpointFolder(place, other, resume); },
      {"another run", "--rank is 5 there, but 6 here", "--seed is not known there, but 1 here"});
}

TEST_F(Checkpoint, ADamagedOneIsReplacedByTheOneBefore) {
  {
    CheckpointFolder keeper(place, identity, {});
    keeper.keep(state(10, 1));
    keeper.keep(state(10, 2));
  }
  const std::string good = read_bytes(place / "checkpoint");
  for (std::size_t at = 0; at < good.size(); at += 7) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    write_bytes(place / "checkpoint", bad);
    const CheckpointFolder again(place, identity, resume);
    EXPECT_EQ(again.kept(), state(10, 1)) << at;
    EXPECT_NE(again.warning(), "");
  }
  write_bytes(place / "checkpoint", good.substr(0, good.size() / 2));
  EXPECT_EQ(CheckpointFolder(place, identity, resume).kept(), state(10, 1));
  std::filesystem::remove(place / "checkpoint");  // killed between two renames
  EXPECT_EQ(CheckpointFolder(place, identity, resume).kept(), state(10, 1));
  write_bytes(place / "checkpoint.previous", "");
  expect_error<InputError>([&] { CheckpointFolder(place, identity, resume); }, {"checkpoint"});
}

TEST_F(Checkpoint, NothingIsOverwrittenUnasked) {
  {
    CheckpointFolder keeper(place, identity, {});
    keeper.keep(state(10, 1));
  }
  expect_error<OutputError>([&] { CheckpointFolder(place, identity, {}); },
                            {"holds a checkpoint already", "`resume`", "`force`"});
  EXPECT_EQ(CheckpointFolder(place, identity, resume).kept(), state(10, 1));
  { const CheckpointFolder forced(place, identity, {.force = true}); }
  EXPECT_TRUE(CheckpointFolder(place, identity, resume).kept().empty());
}

TEST_F(Checkpoint, OneProcessAtATime) {
  const CheckpointFolder first(place, identity, {});
  expect_error<OutputError>([&] { CheckpointFolder(place, identity, resume); },
                            {"another process", "another folder"});
}

TEST_F(Checkpoint, ThereIsNoneToResume) {
  expect_error<InputError>([&] { CheckpointFolder(place, identity, resume); },
                           {"no checkpoint in", "`checkpoint`"});
  std::filesystem::create_directory(place);
  expect_error<InputError>([&] { CheckpointFolder(place, identity, resume); },
                           {"no checkpoint in", "`checkpoint`"});
}

TEST_F(Checkpoint, FragmentsAreRemoved) {
  std::filesystem::create_directory(place);
  write_bytes(place / ".checkpoint.next.partial-1-0", "half");
  const CheckpointFolder keeper(place, identity, {});
  EXPECT_FALSE(std::filesystem::exists(place / ".checkpoint.next.partial-1-0"));
}

}  // namespace
}  // namespace sunder
