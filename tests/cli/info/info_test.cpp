#include <cmath>
#include <limits>

#include "cli/command_fixture.hpp"
#include "io/npy/npy_header.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/npy.hpp"

namespace sunder {
namespace {

using namespace testing;

class Info : public CommandTest {
 protected:
  Json describe(const std::string& file) { return json_of(run({"info", file, "--json"})); }
  /// -2, -1, 0, 1, 2, ... with one NaN and one infinity among them.
  void write_known(const std::string& name, ScalarType type, StorageOrder order) {
    DenseTensor tensor({2, 3, 4}, type, order);
    with_scalar_type(type, [&]<class T>() {
      for (std::size_t k = 0; k < 24; ++k) tensor.typed<T>()[k] = static_cast<T>(k) - T{2};
    });
    if (type == ScalarType::f32) {
      tensor.typed<float>()[10] = std::numeric_limits<float>::quiet_NaN();
      tensor.typed<float>()[11] = std::numeric_limits<float>::infinity();
    }
    write_npy(folder / name, tensor.view());
  }
};

TEST_F(Info, JsonOfAKnownFile) {
  write_known("a.npy", ScalarType::f32, StorageOrder::fortran);
  const Json info = describe("a.npy");
  EXPECT_EQ(info["file"], "a.npy");
  EXPECT_EQ(info["format"], "NumPy .npy 1.0");
  EXPECT_EQ(info["shape"], Json({2, 3, 4}));
  EXPECT_EQ(info["order"], 3);
  EXPECT_EQ(info["entries"], 24);
  EXPECT_EQ(info["dtype"], "f32");
  EXPECT_EQ(info["layout"], "Fortran order");
  EXPECT_EQ(info["scanned_entries"], 24);
  EXPECT_EQ(info["min"], -2);
  EXPECT_EQ(info["max"], 21);
  EXPECT_DOUBLE_EQ(info["mean"], (228.0 - 8 - 9) / 22);
  EXPECT_EQ(info["nan_count"], 1);
  EXPECT_EQ(info["inf_count"], 1);
  EXPECT_EQ(info["zero_count"], 1);
}

TEST_F(Info, ForPeople) {
  write_known("a.npy", ScalarType::f32, StorageOrder::fortran);
  write_known("b.npy", ScalarType::i16, StorageOrder::c);
  const CommandRun a = run_command({"info", "a.npy"}, folder.path());
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* part :
       {"a.npy", "2 x 3 x 4", "f32", "Fortran order", "-2 to 21", "NaN      1", "infinite 1"}) {
    EXPECT_THAT(a.out, HasSubstr(part));
  }
  const CommandRun b = run_command({"info", "b.npy"}, folder.path());
  for (const char* part : {"i16", "C order", "-2 to 21", "NaN      0"}) {
    EXPECT_THAT(b.out, HasSubstr(part));
  }
  EXPECT_THAT(b.out, Not(HasSubstr("infinite")));
}

TEST_F(Info, FilesThatCannotBeDecomposedAreDescribedAllTheSame) {
  const double values[] = {3, 1, 2};
  write_npy(folder / "vector.npy", TensorView::of(values, {3}));
  const Json vector = describe("vector.npy");
  EXPECT_EQ(vector["shape"], Json({3}));
  EXPECT_EQ(vector["max"], 3);

  write_npy(folder / "hollow.npy", TensorView::of(values, {3, 0, 2}));
  const Json hollow = describe("hollow.npy");
  EXPECT_EQ(hollow["entries"], 0);
  EXPECT_TRUE(hollow["min"].is_null());

  const double missing = std::nan("");
  write_npy(folder / "missing.npy", TensorView::of(&missing, {1, 1}));
  EXPECT_EQ(describe("missing.npy")["nan_count"], 1);
  EXPECT_TRUE(describe("missing.npy")["mean"].is_null());
}

/// 20 GiB, of which the file system stores only the header.
TEST_F(Info, LargeFilesAreLookedAtInPart) {
  constexpr Index entries = Index{20} << 27;
  const std::string header = format_npy_header("<f8", StorageOrder::c, {entries >> 20, 1024, 1024});
  testing::write_bytes(folder / "large.npy", header);
  fs::resize_file(folder / "large.npy",
                  header.size() + static_cast<std::size_t>(entries) * sizeof(double));
  testing::RunningCommand command({"info", "large.npy"}, folder.path());
  const CommandRun run = command.wait(std::chrono::seconds(10));
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("2 684 354 560 entries"));
  EXPECT_THAT(run.out, HasSubstr("examined"));
  EXPECT_THAT(run.out, HasSubstr("only"));
  EXPECT_THAT(run.out, HasSubstr("--full"));
  const Json json = describe("large.npy");
  EXPECT_EQ(json["entries"], entries);
  EXPECT_LT(json["scanned_entries"], entries / 10);
  EXPECT_EQ(json["scanned_entries"], json["zero_count"]);
}

TEST_F(Info, Quiet) {
  write_known("a.npy", ScalarType::i32, StorageOrder::c);
  const CommandRun run = run_command({"info", "a.npy", "--quiet"}, folder.path());
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out + run.err, "");
}

}  // namespace
}  // namespace sunder
