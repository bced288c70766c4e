#pragma once
/// A small tensor in a file, with its truth, and jobs on it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/temporary_folder.hpp"
#include "sunder/data/planted.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/job/decompose_job.hpp"

namespace sunder::test {

using testing::names_in;
using testing::read_bytes;
using testing::TemporaryFolder;

inline const std::vector<std::string> result_names = {
    "factors_0.npy",     "factors_1.npy",     "factors_2.npy", "report.html",
    "sparse_coords.npy", "sparse_values.npy", "summary.json",  "weights.npy"};

class JobTest : public ::testing::Test {
 protected:
  JobTest() {
    PlantedOptions options;
    options.shape = Shape{160, 150, 140};
    options.rank = 3;
    options.type = ScalarType::f32;
    options.seed = 4;
    planted = generate_planted(options);
    write_npy(folder / "T.npy", planted.tensor.view());
    std::filesystem::create_directory(folder / "truth");
    write_low_rank_plus_sparse(folder / "truth", planted.low_rank, planted.sparse);
    testing::write_bytes(folder / "truth/summary.json", R"({"shape": [160, 150, 140]})");
  }

  DecomposeJob job(const std::string& output) const {
    DecomposeJob job;
    job.input = (folder / "T.npy").string();
    job.rank = 3;
    job.threads = 1;
    job.checkpoint_interval = 0;
    if (!output.empty()) job.output = folder / output;
    return job;
  }
  /// Too little memory for the whole tensor.
  DecomposeJob stored_job(const std::string& output) const {
    DecomposeJob stored = job(output);
    stored.memory = stored_memory;
    return stored;
  }
  void expect_same_files(const std::string& a, const std::string& b) const {
    for (const std::string& name : result_names) {
      if (name == "report.html" || name == "summary.json") continue;  // these tell the time
      EXPECT_TRUE(read_bytes(folder / a / name) == read_bytes(folder / b / name)) << b << name;
    }
  }

  static constexpr std::int64_t stored_memory = std::int64_t{191} << 20;
  PlantedTensor planted;
  const TemporaryFolder folder;
};

/// Cancels at the given call, counted from 1.
inline ProgressCallback cancel_at(int call) {
  return [call, calls = 0](const Progress&) mutable {
    return ++calls >= call ? Continue::cancel : Continue::yes;
  };
}

/// Counts the calls, and never cancels.
inline ProgressCallback count_calls(int& calls) {
  return [&calls](const Progress&) {
    ++calls;
    return Continue::yes;
  };
}

}  // namespace sunder::test
