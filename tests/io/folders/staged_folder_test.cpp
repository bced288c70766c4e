#include "sunder/io/staged_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using namespace testing;
using Names = std::vector<std::string>;

const Names owned = {"part_*.npy", "truth", "summary.json"};

void fill(const StagedFolder& staged) {
  write_text(staged.path() / "part_0.npy", "new part");
  write_text(staged.path() / "summary.json", "new summary");
}

/// Permissions that are given back, so that the folder can be removed.
class Locked {
 public:
  explicit Locked(fs::path path) : path_(std::move(path)) { ::chmod(path_.c_str(), 0555); }
  ~Locked() { ::chmod(path_.c_str(), 0755); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  fs::path path_;
};

TEST(StagedFolder, AppearsOnlyWhenPublished) {
  const TemporaryFolder folder;
  const mode_t old = ::umask(027);
  {
    StagedFolder staged(folder / "result", owned, false);
    EXPECT_TRUE(staged.path().filename().string().starts_with(".result.partial-"));
    EXPECT_EQ(staged.path().parent_path(), folder.path());
    struct stat status {};
    ::stat(staged.path().c_str(), &status);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
    fill(staged);
    EXPECT_FALSE(fs::exists(folder / "result"));
    staged.publish();
  }
  ::umask(old);
  EXPECT_EQ(names_in(folder.path()), Names{"result"});
  EXPECT_EQ(names_in(folder / "result"), (Names{"part_0.npy", "summary.json"}));
  struct stat status {};
  ::stat((folder / "result").c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777U, 0750U);
}

TEST(StagedFolder, LeavesNothingWithoutPublish) {
  const TemporaryFolder folder;
  {
    const StagedFolder staged(folder / "a/b/result", owned, false);
    fill(staged);
    fs::create_directories(staged.path() / "truth");
    write_text(staged.path() / "truth/x", "x");
  }
  EXPECT_EQ(names_in(folder.path()), Names{});
}

TEST(StagedFolder, MissingParentsAreCreatedByPublish) {
  const TemporaryFolder folder;
  StagedFolder staged(folder / "a/b/result/", owned, false);
  fill(staged);
  EXPECT_FALSE(fs::exists(folder / "a"));
  staged.publish();
  EXPECT_EQ(names_in(folder / "a/b/result"), (Names{"part_0.npy", "summary.json"}));
}

TEST(StagedFolder, RefusesAFile) {
  const TemporaryFolder folder;
  write_text(folder / "file", "x");
  expect_error<OutputError>([&] { StagedFolder(folder / "file", owned, true); },
                            {"file", "a file of that name exists"});
  expect_error<OutputError>([&] { StagedFolder(folder / "file/result", owned, true); },
                            {"result", "not a folder"});
  EXPECT_EQ(names_in(folder.path()), Names{"file"});
}

TEST(StagedFolder, RefusesAReadOnlyPlaceEvenToRoot) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "locked");
  const Locked locked(folder / "locked");
  expect_error<OutputError>([&] { StagedFolder(folder / "locked", owned, false); },
                            {"locked", "read-only", "choose another"});
  expect_error<OutputError>([&] { StagedFolder(folder / "locked/result", owned, false); },
                            {"result", "read-only", "choose another"});
  EXPECT_EQ(names_in(folder.path()), Names{"locked"});
  EXPECT_EQ(names_in(folder / "locked"), Names{});
}

TEST(StagedFolder, StagesInsideATargetWhoseParentIsReadOnly) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "parent/result");
  const Locked locked(folder / "parent");
  {
    StagedFolder staged(folder / "parent/result", owned, false);
    EXPECT_EQ(staged.path().parent_path(), folder / "parent/result");
    fill(staged);
    staged.publish();
  }
  EXPECT_EQ(names_in(folder / "parent/result"), (Names{"part_0.npy", "summary.json"}));
}

TEST(StagedFolder, RefusesATargetThatHoldsOwnedNames) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "result/truth");
  expect_error<OutputError>([&] { StagedFolder(folder / "result", owned, false); },
                            {"result", "already holds truth"});
  write_text(folder / "result/part_17.npy", "old");
  expect_error<OutputError>([&] { StagedFolder(folder / "result", owned, false); },
                            {"part_17.npy"});
  EXPECT_EQ(names_in(folder.path()), Names{"result"});
}

TEST(StagedFolder, JoinsOtherFiles) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "result");
  write_text(folder / "result/notes.txt", "mine");
  StagedFolder staged(folder / "result", owned, false);
  EXPECT_EQ(staged.path().parent_path(), folder.path());
  EXPECT_EQ(names_in(folder / "result"), Names{"notes.txt"});
  fill(staged);
  staged.publish();
  EXPECT_EQ(names_in(folder / "result"), (Names{"notes.txt", "part_0.npy", "summary.json"}));
  EXPECT_EQ(read_bytes(folder / "result/notes.txt"), "mine");
  EXPECT_EQ(names_in(folder.path()), Names{"result"});
}

TEST(StagedFolder, ForceReplacesOwnedNamesAndOnlyThose) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "result/truth");
  for (const char* const name :
       {"notes.txt", "part_0.npy", "part_1.npy", "truth/x", "summary.json"}) {
    write_text(folder / "result" / name, "old");
  }
  {
    const StagedFolder unpublished(folder / "result", owned, true);
    fill(unpublished);
  }
  EXPECT_EQ(read_bytes(folder / "result/part_0.npy"), "old");
  StagedFolder staged(folder / "result", owned, true);
  fill(staged);
  staged.publish();
  EXPECT_EQ(names_in(folder / "result"), (Names{"notes.txt", "part_0.npy", "summary.json"}));
  EXPECT_EQ(read_bytes(folder / "result/notes.txt"), "old");
  EXPECT_EQ(read_bytes(folder / "result/part_0.npy"), "new part");
}

TEST(StagedFolder, FailedReplacementHasNoMarker) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "result");
  write_text(folder / "result/summary.json", "old");
  {
    StagedFolder staged(folder / "result", owned, true);
    fill(staged);
    // A file cannot replace this folder, which is not ours to remove.
    fs::create_directories(folder / "result/extra/full");
    write_text(staged.path() / "extra", "x");
    expect_error<WriteError>([&] { staged.publish(); }, {"result", "directory"});
  }
  EXPECT_FALSE(fs::exists(folder / "result/summary.json"));
  EXPECT_EQ(names_in(folder.path()), Names{"result"});
}

TEST(StagedFolder, PublishDoesNotOverwriteWhatCameMeanwhile) {
  const TemporaryFolder folder;
  {
    StagedFolder staged(folder / "result", owned, false);
    fill(staged);
    fs::create_directory(folder / "result");
    write_text(folder / "result/summary.json", "theirs");
    EXPECT_THROW(staged.publish(), OutputError);
  }
  EXPECT_EQ(read_bytes(folder / "result/summary.json"), "theirs");
  EXPECT_EQ(names_in(folder.path()), Names{"result"});
}

TEST(StagedFolder, TwoAtOnceDoNotMeet) {
  const TemporaryFolder folder;
  const StagedFolder a(folder / "result", owned, false);
  const StagedFolder b(folder / "result", owned, false);
  EXPECT_NE(a.path(), b.path());
}

TEST(StagedFolder, RemovesWhatAProcessThatIsGoneHasLeft) {
  const TemporaryFolder folder;
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  const auto leave = [&](const std::string& name) {
    fs::create_directory(folder / name);
    write_text(folder / name / "part_0.npy", "half of it");
    fs::last_write_time(folder / name, long_ago);
  };
  leave(".result.partial-abcdef");
  leave(".other.partial-abcdef");
  fs::create_directory(folder / ".result.partial-youngr");
  fs::create_directory_symlink(folder / ".other.partial-abcdef", folder / ".result.partial-linked");
  const StagedFolder living(folder / "result", owned, false);
  fs::last_write_time(living.path(), long_ago);
  const StagedFolder next(folder / "result", owned, false);
  EXPECT_TRUE(fs::exists(living.path()));
  EXPECT_FALSE(fs::exists(folder / ".result.partial-abcdef"));
  EXPECT_TRUE(fs::exists(folder / ".result.partial-youngr"));
  EXPECT_TRUE(fs::exists(folder / ".result.partial-linked"));
  EXPECT_TRUE(fs::exists(folder / ".other.partial-abcdef" / "part_0.npy"));
}

TEST(WriteText, WritesAllOrNothing) {
  const TemporaryFolder folder;
  write_text(folder / "a.txt", "one\ntwo");
  EXPECT_EQ(read_bytes(folder / "a.txt"), "one\ntwo");
  write_text(folder / "a.txt", "");
  EXPECT_EQ(read_bytes(folder / "a.txt"), "");
  EXPECT_THROW(write_text(folder / "no/a.txt", "x"), WriteError);
  EXPECT_EQ(names_in(folder.path()), Names{"a.txt"});
}

}  // namespace
}  // namespace sunder
