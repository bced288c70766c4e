#include <algorithm>
#include <cmath>

#include "cli/command_fixture.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder {
namespace {

using namespace testing;

class Generate : public CommandTest {
 protected:
  /// Generates into the folder `name` and returns the summary that --json prints.
  Json generate(const std::string& name, const Arguments& options,
                const Arguments& environment = {}) {
    return json_of(run(joined({"generate", "-o", name, "--json"}, options), environment));
  }
  LowRankPlusSparse truth(const std::string& name) {
    return read_low_rank_plus_sparse(folder / name / "truth");
  }
  LoadedTensor tensor(const std::string& name) {
    return open_tensor((folder / name / "T.npy").string())->load();
  }
  /// The largest |T - L - S|, leaving out NaN.
  double defect(const std::string& name) {
    const LowRankPlusSparse known = truth(name);
    const LoadedTensor made = tensor(name);
    std::vector<double> sparse(made.view.entries());
    for (std::size_t k = 0; k < known.sparse.values().size(); ++k) {
      sparse[known.sparse.positions()[k]] = known.sparse.values()[k];
    }
    double largest = 0;
    for (Index p = 0; p < made.view.entries(); ++p) {
      const ModeIndices index = made.view.shape().unravel(p);
      const double d = made.view(index) - known.low_rank.entry(index) - sparse[p];
      if (!std::isnan(d)) largest = std::max(largest, std::abs(d));
    }
    return largest;
  }
};

TEST_F(Generate, WritesTheTensorAndItsTruth) {
  const Json summary = generate("D", {"--shape", "9,8,7", "--rank", "2", "--seed", "3"});
  EXPECT_EQ(names_in(folder.path()), Arguments{"D"});
  EXPECT_EQ(names_in(folder / "D"), (Arguments{"T.npy", "truth"}));
  EXPECT_EQ(names_in(folder / "D/truth"),
            (Arguments{"factors_0.npy", "factors_1.npy", "factors_2.npy", "sparse_coords.npy",
                       "sparse_values.npy", "summary.json", "weights.npy"}));
  EXPECT_EQ(truth("D").low_rank.rank(), 2);
  EXPECT_EQ(truth("D").low_rank.shape(), (Shape{9, 8, 7}));
  EXPECT_GT(truth("D").sparse.count(), 0);
  EXPECT_LT(defect("D"), 1e-14);
  const Json written = Json::parse(read_bytes(folder / "D/truth/summary.json"));
  EXPECT_EQ(summary["tensor"], "D/T.npy");
  EXPECT_EQ(summary["truth"], "D/truth");
  EXPECT_EQ(written["shape"], Json({9, 8, 7}));
  for (const auto& [key, value] : written.items()) EXPECT_EQ(summary[key], value) << key;
}

TEST_F(Generate, SameSeedSameBytesForAnyNumberOfThreads) {
  const Arguments options = {"--shape", "50,40,30",  "--noise", "0.1",    "--missing",
                             "0.05",    "--support", "block",   "--seed", "11"};
  generate("one", options, {"OMP_NUM_THREADS=1"});
  generate("two", options, {"OMP_NUM_THREADS=2"});
  const std::string bytes = read_bytes(folder / "one/T.npy");
  EXPECT_EQ(bytes.size(), 128U + 50 * 40 * 30 * 8);
  EXPECT_TRUE(bytes == read_bytes(folder / "two/T.npy"));
  for (const std::string& name : names_in(folder / "one/truth")) {
    EXPECT_TRUE(read_bytes(folder / "one/truth" / name) == read_bytes(folder / "two/truth" / name))
        << name;
  }
  Arguments other = options;
  other.back() = "12";
  generate("other", other);
  EXPECT_FALSE(bytes == read_bytes(folder / "other/T.npy"));
}

TEST_F(Generate, Supports) {
  const Arguments shape = {"--shape", "30,30,30", "--density", "0.1", "--support"};
  const auto with = [&](const Arguments& more) {
    Arguments options = shape;
    options.insert(options.end(), more.begin(), more.end());
    return options;
  };
  EXPECT_NEAR(generate("uniform", with({"uniform"}))["sparse_fraction"].get<double>(), 0.1, 0.02);
  EXPECT_EQ(generate("none", with({"none"}))["sparse_count"], 0);
  const Json one = generate("block", with({"block", "--blocks", "1"}));
  const Json many = generate("blocks", with({"block", "--blocks", "20"}));
  EXPECT_GT(one["sparse_count"], 0);
  EXPECT_GT(many["sparse_count"], one["sparse_count"]);
  EXPECT_EQ(many["blocks"], 20);
  // A block is a product of index sets: its entries fill the box of the indices they use.
  const SparseTensor block = truth("block").sparse;
  Index box = 1;
  for (int mode = 0; mode < 3; ++mode) {
    std::vector<bool> used(30);
    for (Index k = 0; k < block.count(); ++k) {
      used[block.coordinates(k)[mode]] = true;
    }
    box *= std::count(used.begin(), used.end(), true);
  }
  EXPECT_EQ(block.count(), box);
}

TEST_F(Generate, SignsAndMagnitude) {
  generate("one", {"--shape", "20,20,20", "--signs", "one"});
  generate("random", {"--shape", "20,20,20", "--signs", "random"});
  generate("large", {"--shape", "20,20,20", "--signs", "one", "--magnitude", "1000"});
  const auto negative = [&](const std::string& name) {
    const SparseTensor sparse = truth(name).sparse;
    return std::ranges::count_if(sparse.values(), [](double x) { return x < 0; });
  };
  EXPECT_EQ(negative("one"), 0);
  EXPECT_GT(negative("random"), truth("random").sparse.count() / 3);
  EXPECT_NEAR(truth("large").sparse.norm(), 1000 * truth("one").sparse.norm(), 1e-6);
}

TEST_F(Generate, FactorsAndWeights) {
  generate("orthonormal", {"--shape", "12,11,10", "--rank", "4", "--factors", "orthonormal"});
  generate("gaussian", {"--shape", "12,11,10", "--rank", "4", "--factors", "gaussian"});
  const auto coherence = [&](const std::string& name) {
    const Matrix factor = truth(name).low_rank.factor(0);
    return (factor.transpose() * factor - Matrix::Identity(4, 4)).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(coherence("orthonormal"), 1e-14);
  EXPECT_GT(coherence("gaussian"), 1e-3);

  const auto weights = [&](const std::string& kind) {
    generate(kind, {"--shape", "12,11,10", "--rank", "4", "--weights", kind});
    return truth(kind).low_rank.weights();
  };
  EXPECT_EQ(weights("ones"), Vector::Ones(4));
  const Vector uniform = weights("uniform");
  EXPECT_GT(uniform.minCoeff(), 1);
  EXPECT_LT(uniform.maxCoeff(), 2);
  EXPECT_GT(uniform.maxCoeff() - uniform.minCoeff(), 1e-3);
  const Vector decaying = weights("decaying");
  EXPECT_NEAR(decaying.maxCoeff(), 1, 1e-12);
  EXPECT_NEAR(decaying.minCoeff(), 0.2, 1e-12);
}

TEST_F(Generate, ZeroRows) {
  generate("D", {"--shape", "60,50,40", "--rank", "2", "--zero-rows", "0.5"});
  const Matrix factor = truth("D").low_rank.factor(0);
  Index zero = 0;
  for (Index row = 0; row < factor.rows(); ++row) zero += factor.row(row).isZero(0) ? 1 : 0;
  EXPECT_GT(zero, 15);
  EXPECT_LT(zero, 45);
}

TEST_F(Generate, Symmetric) {
  generate("D", {"--shape", "9,9,9", "--rank", "2", "--symmetric"});
  const LoadedTensor made = tensor("D");
  for (Index p = 0; p < made.view.entries(); ++p) {
    const ModeIndices i = made.view.shape().unravel(p);
    ASSERT_NEAR(made.view({i[0], i[1], i[2]}), made.view({i[2], i[0], i[1]}), 1e-15);
    ASSERT_NEAR(made.view({i[0], i[1], i[2]}), made.view({i[1], i[0], i[2]}), 1e-15);
  }
  EXPECT_EQ(truth("D").low_rank.factor(0), truth("D").low_rank.factor(2));
}

TEST_F(Generate, NoiseAndMissingEntries) {
  generate("noisy", {"--shape", "20,20,20", "--support", "none", "--noise", "0.5"});
  const double rms = truth("noisy").low_rank.norm() / std::sqrt(8000.0);
  EXPECT_GT(defect("noisy"), rms);  // two standard deviations, which 8000 draws surely exceed
  EXPECT_LT(defect("noisy"), 4 * rms);

  generate("holes", {"--shape", "20,20,20", "--missing", "0.25"});
  const LoadedTensor made = tensor("holes");
  const double* const entries = made.view.typed<double>();
  const auto missing = std::count_if(entries, entries + 8000, [](double x) { return x != x; });
  EXPECT_NEAR(static_cast<double>(missing), 2000, 200);
  EXPECT_LT(defect("holes"), 1e-14);
}

TEST_F(Generate, Dtypes) {
  generate("f32", {"--shape", "9,8,7", "--dtype", "f32"});
  generate("f64", {"--shape", "9,8,7", "--dtype", "f64"});
  EXPECT_EQ(tensor("f32").view.type(), ScalarType::f32);
  EXPECT_EQ(tensor("f64").view.type(), ScalarType::f64);
  EXPECT_LT(defect("f32"), 1e-6);
  EXPECT_LT(defect("f64"), 1e-14);
}

TEST_F(Generate, OrdersTwoToEight) {
  for (const std::string shape : {"6,5", "3,4,3,4", "2,3,2,3,2,3,2,3"}) {
    const Json summary = generate(shape, {"--shape", shape, "--rank", "2"});
    EXPECT_EQ(summary["shape"].size(),
              static_cast<std::size_t>(std::ranges::count(shape, ',') + 1));
    EXPECT_LT(defect(shape), 1e-14) << shape;
  }
}

TEST_F(Generate, Scene) {
  const Json summary =
      generate("V", {"--model", "scene", "--shape", "20,24,30", "--noise", "0", "--seed", "2"});
  EXPECT_EQ(names_in(folder / "V/truth"),
            (Arguments{"background.npy", "factors_0.npy", "factors_1.npy", "masks.npy",
                       "sparse_coords.npy", "sparse_values.npy", "summary.json", "weights.npy"}));
  EXPECT_EQ(summary["video_shape"], Json({20, 24, 30}));
  EXPECT_EQ(tensor("V").view.type(), ScalarType::u8);
  const auto shape_of = [&](const std::string& name) {
    return open_tensor((folder / "V/truth" / name).string())->shape();
  };
  EXPECT_EQ(shape_of("masks.npy"), (Shape{20, 24, 30}));
  EXPECT_EQ(shape_of("background.npy"), (Shape{20, 24}));

  // The truth is that of pixels x frames; off the objects only the rounding to grey levels remains.
  const LowRankPlusSparse known = truth("V");
  ASSERT_EQ(known.low_rank.shape(), (Shape{480, 30}));
  const LoadedTensor video = tensor("V");
  const int modes[] = {0, 1};
  const TensorView pixels = video.view.grouped(modes);
  std::vector<bool> object(480 * 30);
  for (const Index p : known.sparse.positions()) object[p] = true;
  for (Index p = 0; p < pixels.entries(); ++p) {
    if (object[p]) continue;
    const ModeIndices index = pixels.shape().unravel(p);
    ASSERT_NEAR(pixels(index), known.low_rank.entry(index), 0.501) << "entry " << p;
  }
}

TEST_F(Generate, ForPeopleAndQuiet) {
  const CommandRun spoken = run_command({"generate", "--shape", "4,5", "-o", "a"}, folder.path());
  EXPECT_THAT(spoken.out, ::testing::HasSubstr("a/T.npy"));
  EXPECT_THAT(spoken.out, ::testing::HasSubstr("a/truth"));
  EXPECT_EQ(spoken.err, "");
  const CommandRun quiet =
      run_command({"generate", "--shape", "4,5", "-o", "deep/er/b", "--quiet"}, folder.path());
  EXPECT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_TRUE(fs::exists(folder / "deep/er/b/T.npy"));
}

}  // namespace
}  // namespace sunder
