#include "sunder/job/complete_job.hpp"

#include "job/job_problem.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder {
namespace {

class CompleteJobTest : public ::testing::Test {
 protected:
  CompleteJobTest() {
    PlantedOptions options;
    options.shape = Shape{24, 20, 18};
    options.rank = 3;
    options.density = 0.05;
    options.seed = 7;
    planted = generate_planted(options);
    truth = DenseTensor(options.shape);
    const std::span<const double> known = planted.tensor.typed<double>();
    std::copy(known.begin(), known.end(), truth.typed<double>().begin());
    for (Index k = 0; k < planted.sparse.count(); ++k) {
      truth.typed<double>()[planted.sparse.positions()[k]] -= planted.sparse.values()[k];
    }
    job.rank = 3;
    job.threads = 1;
  }

  PlantedTensor planted;
  DenseTensor truth;  ///< L
  CompleteJob job;
  const test::TemporaryFolder folder;
};

TEST_F(CompleteJobTest, FillsGapsAndKeepsWhatIsKnown) {
  const std::span<double> entries = planted.tensor.typed<double>();
  for (std::size_t i = 0; i < entries.size(); i += 5) entries[i] = -1e6;
  job.tensor = planted.tensor.view();
  job.missing = -1e6;
  job.output = folder / "filled.npy";
  const CompleteResult done = run(job);
  EXPECT_EQ(done.filled_count, static_cast<Index>((entries.size() + 4) / 5));
  const std::span<const double> filled = done.filled.typed<double>();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i % 5 == 0) {
      ASSERT_NEAR(filled[i], truth.typed<double>()[i], 1e-8) << i;
    } else {
      ASSERT_EQ(filled[i], entries[i]) << i;
    }
  }
  EXPECT_EQ(open_tensor(job.output.string())->shape(), planted.tensor.shape());
}

TEST_F(CompleteJobTest, ReplacesErrorsIfAsked) {
  job.tensor = planted.tensor.view();
  job.replace_errors = true;
  const CompleteResult done = run(job);
  EXPECT_EQ(done.replaced_count, planted.sparse.count());
  for (std::size_t i = 0; i < truth.typed<double>().size(); ++i) {
    ASSERT_NEAR(done.filled.typed<double>()[i], truth.typed<double>()[i], 1e-8) << i;
  }
}

TEST_F(CompleteJobTest, RefusesWhatIsNoRank) {
  job.tensor = planted.tensor.view();
  job.rank = -1;
  EXPECT_THROW(run(job), OptionError);
}

}  // namespace
}  // namespace sunder
