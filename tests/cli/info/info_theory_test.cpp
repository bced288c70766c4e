#include <cmath>

#include "cli/command_fixture.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/theory/incoherence.hpp"

namespace sunder {
namespace {

using namespace testing;

class InfoTheory : public CommandTest {
 protected:
  void generate_blocks() {
    generate({"--shape", "40,40,40", "--rank", "2", "--factors", "orthonormal", "--support",
              "block", "--blocks", "4", "--density", "0.2", "--seed", "3"});
  }
  CommandRun info(const Arguments& options) { return run(joined({"info", "D/T.npy"}, options)); }
  Json figures(const Arguments& options, int expected_code = 0) {
    return json_of(info(joined(options, {"--theory", "--json"})), expected_code);
  }
  void expect_refused(const Arguments& options, const std::string& words) {
    const CommandRun run = info(options);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr(words));
  }
};

TEST_F(InfoTheory, BlocksWithTheirTruth) {
  generate_blocks();
  const Json found = figures({"--rank", "2", "--truth", "D/truth"});
  EXPECT_EQ(found["figures_of"], "truth");
  EXPECT_EQ(found["shape"], Json({40, 40, 40}));
  EXPECT_EQ(found["method"], "robust-cp");
  const LowRankPlusSparse truth = read_low_rank_plus_sparse(folder / "D/truth");
  const double mu = measure_incoherence(truth.low_rank).mu;
  EXPECT_NEAR(found["low_rank"]["mu"], mu, 1e-12);
  EXPECT_EQ(found["low_rank"]["condition_L"], true);
  EXPECT_EQ(found["low_rank"]["embedding_constant"], 1);
  EXPECT_EQ(found["sparse"]["count"], truth.sparse.count());
  EXPECT_EQ(found["sparse"]["blocks"], 4);
  EXPECT_EQ(found["sparse"]["coverage"], 1);
  EXPECT_EQ(found["sparse"]["block_structured"], true);
  EXPECT_LE(found["sparse"]["spectral_norm"], found["sparse"]["spectral_bound_certain"]);

  const Json& conditions = found["conditions"];
  EXPECT_NEAR(conditions["beta"], 4 * std::pow(mu, 3) * 2 / std::pow(40, 1.5), 1e-9);
  EXPECT_NEAR(conditions["d"]["allowed"], std::pow(40 / (2 * std::pow(mu, 3)), 2.0 / 3), 1e-9);
  EXPECT_EQ(conditions["d"]["measured"], found["sparse"]["block_extent"]);
  EXPECT_EQ(conditions["B"]["measured"], 4);
  EXPECT_EQ(conditions["condition_S"], false) << "40 is far too small for the constants";
  EXPECT_NEAR(conditions["tau"],
              10 * std::log(40 * conditions["beta"].get<double>() *
                            conditions["norm_T_minus_S0"].get<double>() / 1e-6),
              1e-6);

  for (const char* name : {"vectors", "weights", "low_rank", "sparse"}) {
    EXPECT_EQ(found["guarantees"][name]["holds"], true) << name;
    EXPECT_LT(found["guarantees"][name]["ratio"], 1e-3) << name;
  }
  EXPECT_EQ(found["guarantees"]["outside_support"], 0);
  EXPECT_EQ(found["guarantees"]["all_hold"], true);
  EXPECT_GE(found["advantage"].size(), 9U);
}

/// Exact recovery: without the truth the figures are the same.
TEST_F(InfoTheory, OfTheResultAlone) {
  generate_blocks();
  const Json known = figures({"--rank", "2", "--truth", "D/truth"});
  const Json found = figures({"--rank", "2"});
  EXPECT_EQ(found["figures_of"], "result");
  EXPECT_TRUE(found["guarantees"].is_null());
  for (const char* name : {"count", "blocks", "block_extent", "overlap", "fibre_sparsity"}) {
    EXPECT_EQ(found["sparse"][name], known["sparse"][name]) << name;
  }
  EXPECT_NEAR(found["low_rank"]["mu"], known["low_rank"]["mu"], 1e-9);
  EXPECT_NEAR(found["conditions"]["tau"], known["conditions"]["tau"], 1e-3);
}

TEST_F(InfoTheory, ScatteredCorruption) {
  generate({"--shape", "40,30,30", "--rank", "2", "--density", "0.1"});
  const Json found = figures({"--rank", "2", "--truth", "D/truth", "--seed", "4"});
  EXPECT_EQ(found["seed"], 4);
  EXPECT_EQ(found["sparse"]["blocks"], 0);
  EXPECT_EQ(found["sparse"]["block_structured"], false);
  EXPECT_TRUE(found["sparse"]["spectral_bound"].is_null());
  EXPECT_EQ(found["low_rank"]["condition_L"], false) << "Gaussian factors";
  EXPECT_EQ(found["conditions"]["condition_S"], false);
  EXPECT_GT(found["conditions"]["D_unstructured_tensor"]["ratio"],
            found["conditions"]["D_matrix"]["ratio"]);
  EXPECT_EQ(found["guarantees"]["all_hold"], true) << "the solver does better than the theorem";
}

/// Too small a rank: a component is missing, and S holds its entries.
TEST_F(InfoTheory, ABrokenGuarantee) {
  generate({"--shape", "40,40,40", "--rank", "3", "--density", "0.1"});
  const CommandRun run =
      info({"--theory", "--rank", "2", "--truth", "D/truth", "--method", "rtd-als", "--json"});
  ASSERT_TRUE(Json::accept(run.out)) << run.err;
  const Json found = Json::parse(run.out);
  EXPECT_EQ(run.code, found["outcome"] == "converged" ? 0 : 4);
  EXPECT_EQ(found["method"], "rtd-als");
  EXPECT_EQ(found["guarantees"]["low_rank"]["holds"], false);
  EXPECT_NEAR(found["guarantees"]["weights"]["measured"], 1, 0.5);
  EXPECT_EQ(found["low_rank"]["rank"], 3) << "that of the truth";
  EXPECT_EQ(found["guarantees"]["all_hold"], false);
  EXPECT_GT(found["guarantees"]["outside_support"], 0);
}

TEST_F(InfoTheory, OtherOrdersAreDescribedButNotJudged) {
  generate({"--shape", "14,14,14,14", "--rank", "2", "--support", "block", "--blocks", "2",
            "--density", "0.3"});
  const Json found = figures({"--rank", "2", "--truth", "D/truth"});
  EXPECT_EQ(found["sparse"]["blocks"], 2);
  EXPECT_TRUE(found["conditions"].is_null());
  EXPECT_EQ(found["guarantees"]["all_hold"], true);
  const CommandRun run = info({"--theory", "--rank", "2"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("order 3"));
}

TEST_F(InfoTheory, NoCorruption) {
  generate({"--shape", "20,20,20", "--rank", "2", "--support", "none"});
  const Json found = figures({"--rank", "2", "--truth", "D/truth"});
  EXPECT_EQ(found["sparse"]["count"], 0);
  EXPECT_EQ(found["sparse"]["spectral_norm"], 0);
  EXPECT_EQ(found["guarantees"]["all_hold"], true);
}

TEST_F(InfoTheory, ForPeople) {
  generate_blocks();
  const CommandRun run = info({"--theory", "--rank", "2", "--truth", "D/truth"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  for (const char* part : {"D/T.npy", "40 x 40 x 40", "condition (L)", "condition (S)", "mu",
                           "beta", "tau", "D_RTD / D_mat", "Theorem 1", "all             holds"}) {
    EXPECT_THAT(run.out, HasSubstr(part));
  }
  EXPECT_THAT(run.out, Not(HasSubstr("nan")));
  EXPECT_THAT(run.out, Not(HasSubstr(" \n")));
  const CommandRun quiet = info({"--theory", "--rank", "2", "-q"});
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(InfoTheory, FlagsThatDoNotGoTogether) {
  generate({"--shape", "8,8,8", "--rank", "1"});
  expect_refused({"--theory"}, "--rank");
  expect_refused({"--theory", "--rank", "1", "--full"}, "--full");
  expect_refused({"--theory", "--rank", "0"}, "--rank must be a whole number");
  expect_refused({"--theory", "--rank", "1", "--delta", "0"}, "--delta must be positive");
  expect_refused({"--theory", "--rank", "1", "--method", "magic"}, "magic");
  for (const Arguments& options :
       {Arguments{"--rank", "1"}, Arguments{"--truth", "D/truth"}, Arguments{"--delta", "1"},
        Arguments{"--seed", "2"}, Arguments{"--method", "rtd-als"}}) {
    expect_refused(options, options[0] + " needs --theory");
  }
  const CommandRun other = info({"--theory", "--rank", "1", "--truth", "nowhere"});
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.err, HasSubstr("nowhere"));
}

}  // namespace
}  // namespace sunder
