#include "core/files/state_file.hpp"

#include <gtest/gtest.h>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"

namespace sunder {
namespace {

using namespace testing;

constexpr StateKind kind{"sunderXX", 1, "the state of a test"};

class StateFile : public ::testing::Test {
 protected:
  void SetUp() override {
    StateWriter archive;
    archive(number);
    archive(factors);
    archive(history);
    write_state(folder / "state", kind, archive.bytes());
  }
  void read() {
    StateReader archive(read_state(folder / "state", kind), "state");
    Index read_number = 0;
    std::vector<Eigen::MatrixXd> read_factors;
    std::deque<double> read_history;
    archive(read_number);
    archive(read_factors);
    archive(read_history);
    archive.finish();
    EXPECT_EQ(read_number, number);
    EXPECT_EQ(read_factors, factors);
    EXPECT_EQ(read_history, history);
  }

  const TemporaryFolder folder;
  Index number = 42;
  std::vector<Eigen::MatrixXd> factors = {Eigen::MatrixXd::Random(5, 2), Eigen::MatrixXd(),
                                          Eigen::MatrixXd::Random(1, 3)};
  std::deque<double> history = {1.5, -0.0, 3e-310};
};

TEST_F(StateFile, GivesBackWhatWasWritten) {
  read();
  EXPECT_EQ(testing::names_in(folder.path()), std::vector<std::string>{"state"});
}

TEST_F(StateFile, EveryDamagedByteIsNoticed) {
  const std::string bytes = read_bytes(folder / "state");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    write_bytes(folder / "state", damaged);
    EXPECT_THROW(read_state(folder / "state", kind), InputError) << "byte " << i;
  }
}

TEST_F(StateFile, TheDifferenceIsNamed) {
  const std::string bytes = read_bytes(folder / "state");
  write_bytes(folder / "state", bytes.substr(0, bytes.size() - 3));
  expect_error<InputError>([&] { read(); }, {"cut off"});
  write_bytes(folder / "state", "something else, long enough for a header of any kind");
  expect_error<InputError>([&] { read(); }, {"not the state of a test"});
  write_bytes(folder / "state", "");
  expect_error<InputError>([&] { read(); }, {"not the state of a test"});
  std::string newer = bytes;
  newer[8] = 9;
  write_bytes(folder / "state", newer);
  expect_error<InputError>([&] { read(); }, {"version 9", "version 1"});
  expect_error<InputError>([&] { read_state(folder / "none", kind); }, {"cannot use"});
}

TEST_F(StateFile, AnotherKindIsRefused) {
  constexpr StateKind other{"sunderYY", 1, "the state of another test"};
  expect_error<InputError>([&] { read_state(folder / "state", other); },
                           {"not the state of another test"});
}

TEST_F(StateFile, ContentsThatDoNotFitAreRefused) {
  StateWriter archive;
  archive(Index{1} << 60);  // a list longer than the file
  write_state(folder / "state", kind, archive.bytes());
  StateReader reader(read_state(folder / "state", kind), "state");
  std::vector<Eigen::MatrixXd> list;
  EXPECT_THROW(reader(list), InputError);
}

TEST(StateReader, TakesNothingThatIsPromisedForThere) {
  const auto reader_of = [](auto... numbers) {
    StateWriter writer;
    (writer(numbers), ...);
    return StateReader(writer.bytes(), "state");
  };
  Eigen::VectorXd vector;
  // No column: Eigen would give the vector five entries and no memory for them.
  EXPECT_THROW(reader_of(Index{5}, Index{0})(vector), InputError);
  EXPECT_THROW(reader_of(Index{1}, Index{2}, 1.0, 2.0)(vector), InputError);
  Eigen::MatrixXd matrix;
  EXPECT_THROW(reader_of(Index{1} << 61, Index{8}, 1.0)(matrix), InputError);
  EXPECT_THROW(reader_of(Index{-1}, Index{1}, 1.0)(matrix), InputError);
  bool flag = false;
  EXPECT_THROW(reader_of(std::uint8_t{2})(flag), InputError);
  reader_of(std::uint8_t{1})(flag);
  EXPECT_TRUE(flag);
  std::vector<std::string> words;
  EXPECT_THROW(reader_of(Index{12}, 0.0, 0.0)(words), InputError);
  EXPECT_LE(words.size(), 3U);  // as they come, not twelve at once
}

}  // namespace
}  // namespace sunder
