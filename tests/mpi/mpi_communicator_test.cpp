#include "sunder/mpi/mpi_communicator.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/data/planted.hpp"
#include "sunder/io/npy.hpp"

namespace sunder {
namespace {

using namespace testing;
using Json = nlohmann::json;

/// Exit code of a command on so many processes; what it prints goes to the files out and err.
int run_ranks(const TemporaryFolder& folder, int ranks, const std::string& command) {
  // With sanitizers: the libraries of MPI leave memory behind, and are slow.
  const std::string line = fmt::format(
      "cd '{}' && ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\" timeout 300 '{}' --oversubscribe "
      "--allow-run-as-root -n {} {} >out 2>err",
      folder.path().string(), SUNDER_MPIRUN, ranks, command);
  const int status = std::system(line.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int decompose(const TemporaryFolder& folder, int ranks, const std::string& arguments) {
  return run_ranks(folder, ranks, fmt::format("'{}' decompose {}", SUNDER_COMMAND, arguments));
}

class Mpi : public ::testing::Test {
 protected:
  void write_problem(double noise) {
    PlantedOptions options;
    options.shape = Shape{60, 50, 45};
    options.rank = 3;
    options.noise = noise;
    options.type = ScalarType::f32;
    const PlantedTensor planted = generate_planted(options);
    write_npy(folder / "T.npy", planted.tensor.view());
    DenseTensor turned(options.shape, ScalarType::f32, StorageOrder::fortran);
    for (Index p = 0; p < turned.entries(); ++p) {
      const ModeIndices i = options.shape.unravel(p);
      turned.typed<float>()[i[0] + 60 * (i[1] + 50 * i[2])] =
          planted.tensor.view().typed<float>()[p];
    }
    write_npy(folder / "F.npy", turned.view());
  }
  const TemporaryFolder folder;
};

TEST_F(Mpi, AnyNumberOfProcessesGivesTheFilesOfOne) {
  for (const double noise : {0.0, 0.02}) {
    write_problem(noise);
    for (const std::string tensor : {"T.npy", "F.npy"}) {
      for (int ranks = 1; ranks <= 4; ++ranks) {
        if (tensor == "F.npy" && (noise == 0 || ranks % 2 == 0)) continue;  // it differs in S alone
        const std::string output = fmt::format("R{}", ranks);
        ASSERT_EQ(
            decompose(folder, ranks,
                      fmt::format("{} -r 3 --json --threads 1 --force -o {}", tensor, output)),
            0)
            << read_bytes(folder / "err");
        const Json summary = Json::parse(read_bytes(folder / "out"));  // one of them speaks
        EXPECT_EQ(summary["certified"] == "exact", noise == 0);
        EXPECT_EQ(summary["plan"]["streamed"], ranks > 1);
        for (const char* name : {"factors_0.npy", "factors_1.npy", "factors_2.npy", "weights.npy",
                                 "sparse_coords.npy", "sparse_values.npy"}) {
          EXPECT_TRUE(read_bytes(folder / output / name) == read_bytes(folder / "R1" / name))
              << tensor << " " << ranks << " " << name;
        }
        // q is known to the process that found an entry, and the first one does not ask for it.
        std::vector<std::string> names = names_in(folder / "R1");
        if (ranks > 1) std::erase(names, "sparse_q.npy");
        EXPECT_EQ(names_in(folder / output), names);
      }
    }
  }
}

TEST_F(Mpi, OneBadFileEndsThemAll) {
  write_problem(0);
  // Each process reads a tensor of its own; that of the last one is cut off.
  testing::write_bytes(folder / "run.sh",
                       "#!/bin/sh\nexec '" SUNDER_COMMAND
                       "' decompose T$OMPI_COMM_WORLD_RANK.npy -r 3 --threads 1\n");
  const std::string whole = read_bytes(folder / "T.npy");
  for (const char* name : {"T0.npy", "T1.npy", "T2.npy"}) {
    testing::write_bytes(folder / name, whole);
  }
  ASSERT_EQ(run_ranks(folder, 3, "sh run.sh"), 0) << read_bytes(folder / "err");
  testing::write_bytes(folder / "T2.npy", whole.substr(0, whole.size() / 2));
  EXPECT_EQ(run_ranks(folder, 3, "sh run.sh"), 3);
  EXPECT_THAT(read_bytes(folder / "err"), ::testing::HasSubstr("T2.npy: its header promises"));
}

TEST_F(Mpi, EachProcessNeedsItsOwnPartOnly) {
  PlantedOptions options;
  options.shape = {200, 200, 100};  // four chunks, so that two processes share them
  options.rank = 3;
  options.type = ScalarType::f32;
  const PlantedTensor planted = generate_planted(options);
  write_npy(folder / "T.npy", planted.tensor.view());
  ASSERT_EQ(decompose(folder, 1, "T.npy -r 3 --threads 1 -o R"), 0) << read_bytes(folder / "err");
  ASSERT_EQ(run_ranks(folder, 1, fmt::format("'{}' split T.npy --parts 2 -o P", SUNDER_COMMAND)),
            0);
  // Folders stand for the disks of two machines.
  for (const char* own : {"0", "1"}) {
    std::filesystem::create_directory(folder / own);
    std::filesystem::copy(folder / "P/parts.json", folder / own / "parts.json");
    const std::string part = fmt::format("part-{}.npy", own);
    std::filesystem::copy(folder / "P" / part, folder / own / part);
  }
  testing::write_bytes(folder / "run.sh",
                       "#!/bin/sh\nexec '" SUNDER_COMMAND
                       "' decompose $OMPI_COMM_WORLD_RANK/parts.json -r 3 --threads 1 --force "
                       "-o Q\n");
  ASSERT_EQ(run_ranks(folder, 2, "sh run.sh"), 0) << read_bytes(folder / "err");
  for (const char* name : {"factors_0.npy", "sparse_coords.npy", "sparse_values.npy"}) {
    EXPECT_TRUE(read_bytes(folder / "Q" / name) == read_bytes(folder / "R" / name)) << name;
  }
  const std::string before = read_bytes(folder / "Q/factors_0.npy");
  std::filesystem::remove(folder / "1/part-1.npy");
  EXPECT_EQ(run_ranks(folder, 2, "sh run.sh"), 3);
  EXPECT_THAT(read_bytes(folder / "err"), ::testing::HasSubstr("part-1.npy"));
  EXPECT_EQ(read_bytes(folder / "Q/factors_0.npy"), before);  // an earlier result stays
}

TEST_F(Mpi, AKilledProcessEndsThemAllAndTheRestGoesOnWithMore) {
  write_problem(0.05);
  ASSERT_EQ(decompose(folder, 1, "T.npy -r 6 --threads 1 -o R"), 0) << read_bytes(folder / "err");
  // The second of three dies once there is something to go on from.
  testing::write_bytes(
      folder / "run.sh",
      "#!/bin/sh\nif [ $OMPI_COMM_WORLD_RANK = 1 ]; then\n"
      "  (while [ ! -e C/checkpoint.previous ]; do sleep 0.01; done; kill -9 $$) &\nfi\n"
      "exec '" SUNDER_COMMAND
      "' decompose T.npy -r 6 --threads 1 --checkpoint C --checkpoint-interval 0 -o Q\n");
  EXPECT_NE(run_ranks(folder, 3, "sh run.sh"), 0);
  EXPECT_THAT(read_bytes(folder / "err"), ::testing::HasSubstr("signal 9"));
  EXPECT_FALSE(std::filesystem::exists(folder / "Q/summary.json"));
  ASSERT_EQ(decompose(folder, 4, "T.npy -r 6 --threads 1 --resume C -o Q"), 0)
      << read_bytes(folder / "err");
  for (const char* name : {"factors_0.npy", "sparse_coords.npy", "sparse_values.npy"}) {
    EXPECT_TRUE(read_bytes(folder / "Q" / name) == read_bytes(folder / "R" / name)) << name;
  }
}

TEST_F(Mpi, RefusesWhatRunsInOneProcess) {
  write_problem(0);
  EXPECT_EQ(decompose(folder, 2, "T.npy -r 3 --method pcp-flat"), 3);
  EXPECT_THAT(read_bytes(folder / "err"), ::testing::HasSubstr("pcp-flat runs in one process"));
  EXPECT_EQ(decompose(folder, 2, "T.npy -r 3 --stream"), 2);
}

}  // namespace
}  // namespace sunder
