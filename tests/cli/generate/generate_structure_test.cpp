#include <algorithm>
#include <cmath>

#include "cli/command_fixture.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder {
namespace {

using namespace testing;

/// Options that make a tensor like real data; tests/data/planted_structure_test.cpp has what they
/// mean.
class GenerateStructure : public CommandTest {
 protected:
  Json generate(const std::string& name, const Arguments& options) {
    return json_of(run(
        joined({"generate", "-o", name, "--json", "--shape", "20,30,20", "--rank", "3"}, options)));
  }
  LowRankPlusSparse truth(const std::string& name) {
    return read_low_rank_plus_sparse(folder / name / "truth");
  }
};

TEST_F(GenerateStructure, EveryOptionIsInTheSummary) {
  const Json summary =
      generate("D", {"--collinear", "0.9", "--heavy", "10", "--offset", "5", "--noise-model",
                     "proportional", "--dropout", "0.1", "--saturate", "0.1,0.9", "--bad-samples",
                     "0.2", "--bad-kind", "model"});
  EXPECT_EQ(summary["collinear"], 0.9);
  EXPECT_EQ(summary["heavy"], 10);
  EXPECT_EQ(summary["offset"], 5);
  EXPECT_EQ(summary["noise_model"], "proportional");
  EXPECT_EQ(summary["dropout"], 0.1);
  EXPECT_EQ(summary["saturate"], Json({0.1, 0.9}));
  EXPECT_EQ(summary["bad_samples"], 0.2);
  EXPECT_EQ(summary["bad_kind"], "model");
  EXPECT_EQ(truth("D").low_rank.rank(), 4);
  EXPECT_GT(summary["sparse_fraction"], 0.3);
}

TEST_F(GenerateStructure, WeightsByRatioOrList) {
  generate("ratio", {"--weights", "0.5"});
  EXPECT_TRUE(truth("ratio").low_rank.weights().isApprox(Eigen::Vector3d(1, 0.5, 0.25)));
  generate("list", {"--weights", "1,0.6,0.07"});
  EXPECT_TRUE(truth("list").low_rank.weights().isApprox(Eigen::Vector3d(1, 0.6, 0.07)));
  generate("geometric", {"--weights", "geometric"});
  EXPECT_TRUE(truth("geometric").low_rank.weights().isApprox(Eigen::Vector3d(1, 0.1, 0.01)));
}

TEST_F(GenerateStructure, CountsAndPeaks) {
  generate("D", {"--peaks", "0.1", "--noise-model", "poisson", "--noise", "0.5"});
  const LoadedTensor tensor = open_tensor((folder / "D/T.npy").string())->load();
  for (Index p = 0; p < tensor.view.entries(); ++p) {
    const double x = tensor.view(tensor.view.shape().unravel(p));
    ASSERT_EQ(x, std::round(x));
  }
}

TEST_F(GenerateStructure, MistakesAreNamed) {
  for (const Arguments& options :
       {Arguments{"--weights", "heavy"}, Arguments{"--weights", "1,2"},
        Arguments{"--saturate", "0.1"}, Arguments{"--saturate", "0.1,x"},
        Arguments{"--noise-model", "loud"}, Arguments{"--noise-model", "poisson"}}) {
    const auto ended = run(joined({"generate", "-o", "bad", "--rank", "3"}, options));
    EXPECT_NE(ended.code, 0) << options[1];
    EXPECT_NE(ended.err.find(options[0].substr(2, 5)), std::string::npos) << ended.err;
  }
}

}  // namespace
}  // namespace sunder
