#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/run_command.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/rng.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/tensor_file.hpp"
#if SUNDER_WITH_MATIO
#include <matio.h>

#include "io/hdf5/hdf5_handle.hpp"
#endif

namespace sunder {
namespace {

namespace fs = std::filesystem;
using namespace testing;
using Json = nlohmann::json;

const Arguments result_names = {"factors_0.npy", "factors_1.npy",     "factors_2.npy",
                                "report.html",   "sparse_coords.npy", "sparse_values.npy",
                                "summary.json",  "weights.npy"};

class Decompose : public ::testing::Test {
 protected:
  void generate(const Arguments& options) {
    Arguments arguments = {"generate", "-q", "-o", "D"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CommandRun run = run_command(arguments, folder.path());
    ASSERT_EQ(run.code, 0) << run.err;
  }
  /// The problem with which the README begins.
  void generate_example() {
    generate({"--shape", "60,60,60", "--rank", "3", "--factors", "orthonormal", "--support",
              "block", "--blocks", "5", "--density", "0.2", "--seed", "5"});
  }
  Json decompose(const Arguments& options, int expected_code = 0) {
    Arguments arguments = {"decompose", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CommandRun run = run_command(arguments, folder.path());
    EXPECT_EQ(run.code, expected_code) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_TRUE(Json::accept(run.out)) << run.out;
    return Json::accept(run.out) ? Json::parse(run.out) : Json::object();
  }

  const TemporaryFolder folder;
};

double sparse_entry(const SparseTensor& sparse, Index position) {
  const auto found = std::ranges::lower_bound(sparse.positions(), position);
  if (found == sparse.positions().end() || *found != position) return 0;
  return sparse.values()[found - sparse.positions().begin()];
}

TEST_F(Decompose, TheExampleOfTheReadme) {
  generate_example();
  const Json summary =
      decompose({"D/T.npy", "--method", "rtd-als", "--rank", "3", "--truth", "D/truth", "-o", "R"});
  for (const char* key :
       {"method", "shape", "rank", "outcome", "certified", "passes", "seconds", "sparse_count",
        "sparse_fraction", "error_low_rank", "support_precision", "support_recall", "components"}) {
    ASSERT_TRUE(summary.contains(key)) << key;
  }
  EXPECT_EQ(summary["method"], "rtd-als");
  EXPECT_EQ(summary["shape"], Json({60, 60, 60}));
  EXPECT_EQ(summary["rank"], 3);
  EXPECT_EQ(summary["outcome"], "converged");
  EXPECT_EQ(summary["certified"], "none");
  EXPECT_GT(summary["passes"], 0);
  EXPECT_GT(summary["seconds"], 0);
  EXPECT_LT(summary["error_low_rank"], 1e-6);
  EXPECT_GT(summary["support_precision"], 0.999);
  EXPECT_GT(summary["support_recall"], 0.999);
  ASSERT_EQ(summary["components"].size(), 3U);
  for (const Json& cosine : summary["components"]) EXPECT_GT(cosine, 1 - 1e-9);

  EXPECT_EQ(names_in(folder.path()), (Arguments{"D", "R"}));
  EXPECT_EQ(names_in(folder / "R"), result_names);
  EXPECT_EQ(Json::parse(read_bytes(folder / "R/summary.json")), summary);
  EXPECT_THAT(read_bytes(folder / "R/report.html"), ::testing::HasSubstr("</html>"));

  const LowRankPlusSparse result = read_low_rank_plus_sparse(folder / "R");
  EXPECT_EQ(result.sparse.count(), summary["sparse_count"]);
  EXPECT_EQ(result.sparse.count(), summary["sparse_fraction"].get<double>() * 216000);
  const LoadedTensor tensor = open_tensor((folder / "D/T.npy").string())->load();
  Rng rng(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto position = static_cast<Index>(rng.below(216000));
    const ModeIndices index = tensor.view.shape().unravel(position);
    ASSERT_NEAR(result.low_rank.entry(index) + sparse_entry(result.sparse, position),
                tensor.view(index), 1e-9)
        << "entry " << position;
  }
}

TEST_F(Decompose, MatrixMethodsWriteTensors) {
  generate({"--shape", "60,60,60", "--rank", "3", "--density", "0.005", "--signs", "random"});
  for (const std::string method :
       {"altproj-flat", "altproj-slice", "accaltproj-flat", "ircur-flat"}) {
    const Json summary = decompose(
        {"D/T.npy", "--method", method, "--rank", "3", "--truth", "D/truth", "-o", "R", "--force"});
    EXPECT_EQ(summary["rank"], 180);
    EXPECT_EQ(summary["certified"], "none");
    EXPECT_LT(summary["error_low_rank"], 1e-6);
    EXPECT_GT(summary["support_precision"], 0.999);
    const LowRankPlusSparse result = read_low_rank_plus_sparse(folder / "R");
    EXPECT_EQ(result.low_rank.shape(), (Shape{60, 60, 60}));
    EXPECT_EQ(result.low_rank.rank(), 180);
    EXPECT_EQ(result.sparse.count(), summary["sparse_count"]);
  }
}

TEST_F(Decompose, ConvexMethodsWriteTensors) {
  generate({"--shape", "40,40,40", "--rank", "2", "--density", "0.02", "--signs", "random"});
  for (const std::string method : {"pcp-flat", "pcp-slice", "horpca", "horpca-c"}) {
    const Json summary = decompose(
        {"D/T.npy", "--method", method, "--rank", "2", "--truth", "D/truth", "-o", "R", "--force"});
    EXPECT_EQ(summary["certified"], "none");
    EXPECT_EQ(summary["outcome"], "converged");
    // The flattening is peaked where its factors are, and the program moves the peaks into S.
    EXPECT_LT(summary["error_low_rank"], method == "pcp-flat" ? 0.2 : 1e-5) << method;
    const LowRankPlusSparse result = read_low_rank_plus_sparse(folder / "R");
    EXPECT_EQ(result.low_rank.shape(), (Shape{40, 40, 40}));
    EXPECT_EQ(result.sparse.count(), summary["sparse_count"]);
  }
}

TEST_F(Decompose, SameBytesForAnyNumberOfThreads) {
  generate_example();
  for (const std::string threads : {"1", "2", "3"}) {
    decompose({"D/T.npy", "--rank", "3", "--method", "rtd-als", "--max-iterations", "14",
               "--stage-iterations", "1", "--threads", threads, "-o", "R" + threads},
              4);
  }
  EXPECT_GT(fs::file_size(folder / "R1/sparse_values.npy"), 8000U);
  for (const std::string& name : result_names) {
    if (!name.ends_with(".npy")) continue;  // the others tell how long it took
    const std::string bytes = read_bytes(folder / "R1" / name);
    EXPECT_TRUE(bytes == read_bytes(folder / "R2" / name)) << name;
    EXPECT_TRUE(bytes == read_bytes(folder / "R3" / name)) << name;
  }
}

TEST_F(Decompose, ASpentBudgetIsSaidAndStillWritten) {
  generate_example();
  const Json summary = decompose(
      {"D/T.npy", "--rank", "3", "--method", "rtd-als", "--max-iterations", "2", "-o", "R"}, 4);
  EXPECT_EQ(summary["outcome"], "iteration_limit");
  EXPECT_EQ(summary["options"]["max-iterations"], 2);
  EXPECT_FALSE(summary.contains("error_low_rank"));
  EXPECT_EQ(names_in(folder / "R"), result_names);
  EXPECT_GT(read_low_rank_plus_sparse(folder / "R").low_rank.norm(), 0.1);
}

TEST_F(Decompose, ForPeopleAndQuiet) {
  generate({"--shape", "12,12,12", "--rank", "1", "--density", "0.02"});
  const Arguments arguments = {"decompose", "D/T.npy", "--rank",  "1",
                               "--threads", "1",       "--truth", "D/truth"};
  const CommandRun spoken = run_command(arguments, folder.path());
  EXPECT_EQ(spoken.code, 0) << spoken.err;
  EXPECT_EQ(spoken.err, "");
  for (const char* part : {"D/T.npy", "12 x 12 x 12", "robust-cp, rank 1", "converged", "certified",
                           "exact", "relative error of L", "-o FOLDER"}) {
    EXPECT_THAT(spoken.out, ::testing::HasSubstr(part));
  }
  EXPECT_EQ(names_in(folder.path()), Arguments{"D"});
  Arguments quietly = arguments;
  quietly.insert(quietly.end(), {"--quiet", "-o", "R"});
  const CommandRun quiet = run_command(quietly, folder.path());
  EXPECT_EQ(quiet.code, 0) << quiet.err;
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_EQ(names_in(folder / "R"), result_names);
}

TEST_F(Decompose, AVideoAsPixelsTimesFrames) {
  generate({"--model", "scene", "--shape", "20,24,30", "--seed", "2"});
  const Json summary = decompose(
      {"D/T.npy", "--group", "0,1", "--rank", "1", "--truth", "D/truth", "--threads", "1"});
  EXPECT_EQ(summary["shape"], Json({480, 30}));
  EXPECT_LT(summary["error_low_rank"], 0.1);
  EXPECT_GT(summary["support_recall"], 0.9);
}

/// Missing entries are no part of L + S = T, and counted.
TEST_F(Decompose, MissingEntries) {
  generate({"--shape", "20,20,20", "--rank", "1", "--density", "0.02", "--missing", "0.1"});
  const Json summary =
      decompose({"D/T.npy", "--rank", "1", "--truth", "D/truth", "--threads", "1"});
  EXPECT_NEAR(summary["missing_count"].get<double>(), 800, 120);
  EXPECT_LT(summary["error_low_rank"], 1e-6);
}

class Formats : public Decompose {
 protected:
  void SetUp() override {
    generate({"--shape", "16,15,14", "--rank", "2", "--factors", "orthonormal", "--density", "0.02",
              "--seed", "4"});
    file_ = open_tensor((folder / "D/T.npy").string());
    source_ = file_->load();
  }
  template <class T>
  DenseTensor copy(StorageOrder order) const {
    DenseTensor tensor(source_.view.shape(), scalar_type_of<T>(), order);
    const ModeIndices strides = contiguous_strides(tensor.shape(), order);
    for (Index p = 0; p < tensor.entries(); ++p) {
      const ModeIndices i = tensor.shape().unravel(p);
      const Index at = i[0] * strides[0] + i[1] * strides[1] + i[2] * strides[2];
      tensor.typed<T>()[at] = static_cast<T>(source_.view(i));
    }
    return tensor;
  }
  CpModel low_rank(const std::string& location, const std::string& result) {
    decompose({location, "--rank", "2", "--threads", "1", "-o", result});
    return read_low_rank_plus_sparse(folder / result).low_rank;
  }
  void expect_same_answer(const std::string& location, double tolerance) {
    const CpModel expected = low_rank("D/T.npy", "expected");
    EXPECT_LT(low_rank(location, "R").distance(expected), tolerance * expected.norm());
  }

  std::unique_ptr<TensorFile> file_;
  LoadedTensor source_;
};

TEST_F(Formats, SinglePrecision) {
  write_npy(folder / "a.npy", copy<float>(StorageOrder::c).view());
  expect_same_answer("a.npy", 1e-5);
}

TEST_F(Formats, FortranOrder) {
  write_npy(folder / "a.npy", copy<double>(StorageOrder::fortran).view());
  ASSERT_EQ(open_tensor((folder / "a.npy").string())->storage_order(), StorageOrder::fortran);
  expect_same_answer("a.npy", 1e-8);
}

#if SUNDER_WITH_MATIO
TEST_F(Formats, Hdf5) {
  {
    const DenseTensor tensor = copy<double>(StorageOrder::c);
    const hsize_t extents[] = {16, 15, 14};
    const Hdf5Handle file(
        H5Fcreate((folder / "a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const Hdf5Handle group(H5Gcreate2(file.get(), "/deep", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const Hdf5Handle space(H5Screate_simple(3, extents, nullptr));
    const Hdf5Handle data(H5Dcreate2(group.get(), "T", H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT));
    ASSERT_GE(H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, tensor.data()),
              0);
  }
  expect_same_answer("a.h5:/deep/T", 1e-8);
}

TEST_F(Formats, Matlab) {
  DenseTensor tensor = copy<double>(StorageOrder::fortran);
  std::size_t extents[] = {16, 15, 14};
  mat_t* const file = Mat_CreateVer((folder / "a.mat").c_str(), nullptr, MAT_FT_MAT5);
  ASSERT_NE(file, nullptr);
  matvar_t* const variable =
      Mat_VarCreate("T", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, extents, tensor.data(), 0);
  EXPECT_EQ(Mat_VarWrite(file, variable, MAT_COMPRESSION_NONE), 0);
  Mat_VarFree(variable);
  Mat_Close(file);
  expect_same_answer("a.mat:T", 1e-8);
}
#endif

/// Just too little memory for the whole tensor of these tests.
const Arguments short_of_memory = {"--memory", "191M", "--threads", "1"};

TEST_F(Decompose, ATensorThatDoesNotFitGivesTheSameFiles) {
  generate({"--shape", "160,150,140", "--rank", "3", "--dtype", "f32", "--seed", "4"});
  const LoadedTensor loaded = open_tensor((folder / "D/T.npy").string())->load();
  DenseTensor fortran(loaded.view.shape(), ScalarType::f32, StorageOrder::fortran);
  for (Index p = 0; p < fortran.entries(); ++p) {
    const ModeIndices i = loaded.view.shape().unravel(p);
    fortran.typed<float>()[i[0] + 160 * (i[1] + 150 * i[2])] = loaded.view.typed<float>()[p];
  }
  write_npy(folder / "D/F.npy", fortran.view());
  testing::write_bytes(folder / "D/T.bin",
                       std::string(static_cast<const char*>(loaded.view.data()), fortran.bytes()));
  for (const std::string name : {"T.npy", "F.npy", "T.bin"}) {
    Arguments whole = {"D/" + name, "--rank", "3", "--truth", "D/truth", "--force"};
    if (name == "T.bin") {
      whole.insert(whole.end(), {"--raw-shape", "160,150,140", "--raw-type", "f32"});
    }
    Arguments parts = whole;
    parts.insert(parts.end(), short_of_memory.begin(), short_of_memory.end());
    parts.insert(parts.end(), {"-o", "P"});
    whole.insert(whole.end(), {"-o", "W"});
    const Json in_memory = decompose(whole);
    const Json in_parts = decompose(parts);
    EXPECT_EQ(in_memory["plan"]["streamed"], false);
    EXPECT_EQ(in_memory["bytes_read"], 0);
    EXPECT_EQ(in_parts["plan"]["streamed"], true);
    EXPECT_GE(in_parts["bytes_read"], fortran.bytes());
    EXPECT_LE(in_parts["plan"]["memory"], in_parts["plan"]["memory_limit"]);
    EXPECT_LT(in_parts["error_low_rank"], 1e-6);
    EXPECT_EQ(in_parts["support_recall"], 1);
    EXPECT_EQ(in_parts["support_precision"], in_memory["support_precision"]);
    EXPECT_EQ(names_in(folder / "P"), result_names);
    for (const char* file : {"factors_0.npy", "factors_1.npy", "factors_2.npy", "weights.npy",
                             "sparse_coords.npy", "sparse_values.npy"}) {
      EXPECT_EQ(read_bytes(folder / "P" / file), read_bytes(folder / "W" / file)) << name << file;
    }
    EXPECT_EQ(read_bytes(folder / "P" / "report.html").find("S is empty"), std::string::npos);
  }
}

TEST_F(Decompose, SaysWhatMemoryWouldHelp) {
  generate({"--shape", "160,150,140", "--rank", "3"});
  const auto refused = [&](const Arguments& options, int code, const std::string& part) {
    Arguments arguments = {"decompose", "D/T.npy", "--rank", "3"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CommandRun run = run_command(arguments, folder.path());
    EXPECT_EQ(run.code, code);
    EXPECT_THAT(run.err, ::testing::HasSubstr(part));
  };
  refused({"--memory", "20M"}, 3, "give more --memory");
  refused({"--memory", "20M", "--method", "pcp-flat"}, 3, "needs the whole tensor in memory");
  refused({"--memory", "lots"}, 2, "--memory must be a size");
  refused({"--raw-shape", "3,4"}, 2, "--raw-shape and --raw-type go together");
  refused({"--raw-shape", "3,4", "--raw-type", "f16"}, 2, "--raw-type must be one of");
  refused({"--raw-shape", "3,4", "--raw-type", "f32"}, 3, "check --raw-shape");
}

}  // namespace
}  // namespace sunder
