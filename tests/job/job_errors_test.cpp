// A job that cannot be done is refused before any work, with the name of the option.

#include "job/job_problem.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/option_name.hpp"
#include "sunder/job/stream_job.hpp"
#include "thread_communicator.hpp"

namespace sunder {
namespace {

class JobErrors : public test::JobTest {
 protected:
  /// The option that the error names.
  template <class E>
  std::string refused(const std::function<void(DecomposeJob&)>& change) {
    DecomposeJob wrong = job("R");
    change(wrong);
    const std::vector<std::string> before = test::names_in(folder.path());
    try {
      run(wrong);
      ADD_FAILURE() << "was not refused";
    } catch (const E& error) {
      EXPECT_EQ(std::string(error.what()).find("--"), std::string::npos) << error.what();
      EXPECT_EQ(test::names_in(folder.path()), before);
      return option_of(error.what());
    }
    return "";
  }
};

TEST_F(JobErrors, NameTheOption) {
  EXPECT_EQ(refused<OptionError>([](DecomposeJob& job) { job.threads = -1; }), "threads");
  EXPECT_EQ(refused<OptionError>([](DecomposeJob& job) { job.rank = -2; }), "rank");
  EXPECT_EQ(refused<OptionError>([](DecomposeJob& job) { job.memory = -1; }), "memory");
  EXPECT_EQ(refused<OptionError>([](DecomposeJob& job) { job.max_seconds = -1; }), "max-seconds");
  EXPECT_EQ(refused<OptionError>([](DecomposeJob& job) {
              job.checkpoint = "C";
              job.checkpoint_interval = -1;
            }),
            "checkpoint-interval");
  EXPECT_EQ(refused<OptionError>([](DecomposeJob& job) {
              job.checkpoint = "C";
              job.resume = "C";
            }),
            "checkpoint");
  EXPECT_EQ(refused<OptionError>([](DecomposeJob& job) {
              job.checkpoint = "C";
              job.method = "pcp-flat";
            }),
            "checkpoint");
  EXPECT_EQ(refused<InputError>([](DecomposeJob& job) { job.memory = 1 << 20; }), "memory");
  EXPECT_EQ(refused<InputError>([](DecomposeJob& job) {
              job.memory = 1 << 20;
              job.method = "pcp-flat";
            }),
            "memory");
  EXPECT_EQ(refused<InputError>([](DecomposeJob& job) {
              job.raw = RawLayout{Shape{2, 2}, ScalarType::f32};
            }),
            "raw-shape");
  EXPECT_EQ(refused<OptionError>([this](DecomposeJob& job) {
              job.tensor = planted.tensor.view();
              job.memory = stored_memory;
            }),
            "memory");
}

TEST_F(JobErrors, OfWhatIsThereAlready) {
  DecomposeJob first = job("R");
  first.checkpoint = folder / "C";
  run(first);
  EXPECT_EQ(refused<OutputError>([](DecomposeJob&) {}), "force");
  EXPECT_EQ(refused<OutputError>([this](DecomposeJob& job) {
              job.output = "";
              job.checkpoint = folder / "C";
            }),
            "resume");
  EXPECT_EQ(refused<InputError>([this](DecomposeJob& job) {
              job.output = folder / "Q";
              job.resume = folder / "C";
              job.seed = 9;
            }),
            "seed");
  EXPECT_EQ(refused<InputError>([this](DecomposeJob& job) {
              job.output = "";
              job.resume = folder / "nowhere";
            }),
            "checkpoint");
}

TEST_F(JobErrors, OfAStream) {
  StreamJob stream;
  stream.input = job("").input;
  try {
    run(stream);
    ADD_FAILURE() << "was not refused";
  } catch (const OptionError& error) {
    EXPECT_EQ(option_of(error.what()), "rank");
  }
  stream.options.rank = 3;
  stream.options.warm_up = 141;  // one more than there are slices
  try {
    run(stream);
    ADD_FAILURE() << "was not refused";
  } catch (const InputError& error) {
    EXPECT_EQ(option_of(error.what()), "warm-up");
  }
}

TEST_F(JobErrors, AnArrayIsForOneProcess) {
  test::run_ranks(2, [&](const std::shared_ptr<const Communicator>& processes) {
    DecomposeJob shared = job("");
    shared.tensor = planted.tensor.view();
    shared.communicator = processes;
    EXPECT_THROW(run(shared), OptionError);
  });
}

}  // namespace
}  // namespace sunder
