#include "video/frames/array_frames.hpp"

#include <gtest/gtest.h>
#if SUNDER_WITH_MATIO
#include <hdf5.h>
#endif

#include <cmath>
#include <limits>
#include <string>

#include "io/expect_error.hpp"
#include "io/other_programs.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/npy.hpp"
#include "video/clip.hpp"

namespace sunder {
namespace {

using namespace testing;

/// The clip of clip.hpp in every layout and order, by NumPy.
constexpr const char* layouts_script = R"(
import numpy as np
i, j, t = np.meshgrid(range(4), range(6), range(150), indexing="ij")
for dtype, name in ((np.uint8, "u8"), (np.uint16, "u16")):
    code = i * 3 + j * 2 + t * 7
    grey = (code % 256 if name == "u8" else code * 251 % 65536).astype(dtype)
    for layout in ("hwt", "thw", "wht", "htw"):
        a = np.transpose(grey, ["hwt".index(m) for m in layout])
        np.save(f"{name}_{layout}_c.npy", np.ascontiguousarray(a))
        np.save(f"{name}_{layout}_f.npy", np.asfortranarray(a))
i, j, c, t = np.meshgrid(range(4), range(6), range(3), range(20), indexing="ij")
colour = ((i * 3 + j * 2 + c * 40 + t * 7) % 256).astype(np.uint8)
for layout in ("hwct", "thwc", "tchw"):
    a = np.transpose(colour, ["hwct".index(m) for m in layout])
    np.save(f"{layout}_c.npy", np.ascontiguousarray(a))
    np.save(f"{layout}_f.npy", np.asfortranarray(a))
)";

TEST(ArrayFrames, EveryLayoutAndOrder) {
  const auto python = testing::python_with("numpy");
  if (!python) GTEST_SKIP() << "NumPy is not installed";
  const TemporaryFolder folder;
  ASSERT_TRUE(testing::run_python(*python, folder.path(), layouts_script));
  FrameOptions options;
  for (const std::string order : {"c", "f"}) {
    for (const std::string layout : {"hwt", "thw", "wht", "htw"}) {
      for (const int bits : {8, 16}) {
        const std::string name = (bits == 8 ? "u8_" : "u16_") + layout + "_" + order + ".npy";
        SCOPED_TRACE(name);
        options.layout = layout;
        const auto source = open_frames((folder / name).string(), options);
        EXPECT_EQ(source->format(), clip_format(4, 6, 1, bits));
        EXPECT_EQ(source->expected_frames(), 150);
        EXPECT_EQ(source->frames_per_second(), 0);
        expect_clip(all_frames(*source), source->format(), 150);
      }
    }
    for (const std::string layout : {"hwct", "thwc", "tchw"}) {
      SCOPED_TRACE(layout);
      options.layout = layout;
      const auto source = open_frames((folder / (layout + "_" + order + ".npy")).string(), options);
      EXPECT_EQ(source->format(), clip_format(4, 6, 3));
      expect_clip(all_frames(*source), source->format(), 20);
    }
  }
}

/// Frames larger than a block of 64 MB, so that there are several blocks.
TEST(ArrayFrames, SeveralBlocks) {
  const TemporaryFolder folder;
  const Shape shape{1500, 2000, 25};
  std::vector<std::uint8_t> entries(shape.entries());
  for (std::size_t p = 0; p < entries.size(); ++p) {
    entries[p] = static_cast<std::uint8_t>(p % 25 * 10 + p / 25 % 7);
  }
  write_npy(folder / "a.npy", TensorView::of(entries.data(), shape));
  const auto source = open_frames((folder / "a.npy").string(), {});
  Index time = 0;
  for (Frame frame; source->next(frame); ++time) {
    for (const Index p : {0, 1, 1234567, 2999999}) {
      ASSERT_EQ(frame.bytes[p], time * 10 + p % 7) << time;
    }
  }
  EXPECT_EQ(time, 25);
}

TEST(ArrayFrames, RangeStrideAndRewind) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(4, 6);
  testing::write_clip(folder / "a.npy", format, 30);
  FrameOptions options;
  options.first = 3;
  options.last = 20;
  options.stride = 4;
  options.fps = 100;
  const auto source = open_frames((folder / "a.npy").string(), options);
  EXPECT_EQ(source->expected_frames(), 5);
  EXPECT_EQ(source->frames_per_second(), 25);
  expect_clip(all_frames(*source), format, 5, 3, 4);
  ASSERT_TRUE(source->rewind());
  expect_clip(all_frames(*source), format, 5, 3, 4);
}

TEST(ArrayFrames, OtherTypesBecome16Bits) {
  const TemporaryFolder folder;
  const Shape shape{3, 5, 4};
  std::vector<double> doubles;
  for (int p = 0; p < shape.entries(); ++p) doubles.push_back(-2.5 + 0.37 * ((p * 7) % 60));
  std::vector<float> floats(doubles.begin(), doubles.end());
  std::vector<std::int32_t> integers;
  for (int p = 0; p < shape.entries(); ++p) integers.push_back(1000 * ((p * 7) % 60) - 30000);
  std::vector<std::int16_t> shorts(integers.begin(), integers.end());
  write_npy(folder / "f64.npy", TensorView::of(doubles.data(), shape));
  write_npy(folder / "f32.npy", TensorView::of(floats.data(), shape));
  write_npy(folder / "i32.npy", TensorView::of(integers.data(), shape));
  write_npy(folder / "i16.npy", TensorView::of(shorts.data(), shape));
  for (const std::string name : {"f64", "f32", "i32", "i16"}) {
    SCOPED_TRACE(name);
    const auto source = open_frames((folder / (name + ".npy")).string(), {});
    const FrameFormat format = source->format();
    ASSERT_EQ(format.bits, 16);
    const std::vector<Frame> frames = all_frames(*source);
    int lowest = 65535;
    int highest = 0;
    for (Index p = 0; p < shape.entries(); ++p) {
      const ModeIndices index = shape.unravel(p);
      const int code = testing::code_at(frames[index[2]], format, index[0], index[1], 0);
      const auto at = static_cast<std::size_t>(p);
      const double value = name[0] == 'f' ? doubles[at] : integers[at];
      EXPECT_NEAR(format.offset + format.scale * code, value, 0.51 * format.scale);
      lowest = std::min(lowest, code);
      highest = std::max(highest, code);
    }
    EXPECT_EQ(lowest, 0);
    EXPECT_EQ(highest, 65535);
  }
}

TEST(ArrayFrames, ConstantAndBoolean) {
  const TemporaryFolder folder;
  const std::vector<double> same(2 * 2 * 3, 7.5);
  write_npy(folder / "same.npy", TensorView::of(same.data(), {2, 2, 3}));
  const auto source = open_frames((folder / "same.npy").string(), {});
  EXPECT_EQ(source->format().offset, 7.5);
  EXPECT_EQ(all_frames(*source).at(2).codes16()[3], 0);
  const auto python = testing::python_with("numpy");
  if (!python) GTEST_SKIP() << "NumPy is not installed";
  ASSERT_TRUE(testing::run_python(*python, folder.path(),
                                  "import numpy as np; a = np.zeros((2, 2, 3), bool); "
                                  "a[0, 1, 2] = True; np.save(\"truth.npy\", a)"));
  const auto truth = open_frames((folder / "truth.npy").string(), {});
  EXPECT_EQ(truth->format().bits, 16);
  EXPECT_EQ(all_frames(*truth).at(2).codes16()[1], 65535);
}

TEST(ArrayFrames, NotFiniteSaysWhere) {
  const TemporaryFolder folder;
  std::vector<double> entries(3 * 4 * 5, 1);
  const Shape shape{3, 4, 5};
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    entries[shape.linear(std::array<Index, 3>{1, 2, 3})] = bad;
    for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
      const bool c = order == StorageOrder::c;
      const TensorView view = TensorView::of(entries.data(), c ? shape : Shape{5, 4, 3}, order);
      write_npy(folder / "a.npy", view);
      expect_error<InputError>([&] { open_frames((folder / "a.npy").string(), {}); },
                               {"a.npy", c ? "(1, 2, 3)" : "(3, 2, 1)", "NaN"});
    }
  }
}

TEST(ArrayFrames, RefusesWhatIsNoVideo) {
  const TemporaryFolder folder;
  const std::vector<std::uint8_t> entries(4 * 5 * 2 * 6);
  const auto refuse = [&](const Shape& shape, const FrameOptions& options,
                          const std::vector<std::string>& parts) {
    write_npy(folder / "a.npy", TensorView::of(entries.data(), shape));
    expect_error<InputError>([&] { open_frames((folder / "a.npy").string(), options); }, parts);
  };
  FrameOptions options;
  refuse({4, 5}, options, {"4 x 5", "H x W x T"});
  refuse({4, 5, 2, 6}, options, {"2 channels"});
  refuse({4, 5, 0}, options, {"empty"});
  options.layout = "thwc";
  refuse({4, 5, 6}, options, {"thwc", "4 modes"});
  options.layout = "";
  options.first = 6;
  refuse({4, 5, 6}, options, {"6 frames", "frame 6"});
}

TEST(ArrayFrames, GreyAndSmaller) {
  const TemporaryFolder folder;
  testing::write_clip(folder / "a.npy", clip_format(8, 12, 3), 3);
  FrameOptions options;
  options.grey = true;
  options.scale = 0.5;
  const auto source = open_frames((folder / "a.npy").string(), options);
  EXPECT_EQ(source->format(), clip_format(4, 6));
  const Frame frame = all_frames(*source).at(2);
  double sum = 0;
  const std::array<double, 3> luma = {0.299, 0.587, 0.114};
  for (int i = 2; i < 4; ++i) {
    for (int j = 6; j < 8; ++j) {
      for (int c = 0; c < 3; ++c) {
        sum += luma[c] * testing::clip_code(i, j, c, 2, 8) / 4;
      }
    }
  }
  EXPECT_EQ(frame.bytes[1 * 6 + 3], std::lround(sum));
}

#if SUNDER_WITH_MATIO
/// The same array through HDF5 and MATLAB files, of which only the frames asked for are read.
TEST(ArrayFrames, Hdf5AndMatlab) {
  const TemporaryFolder folder;
  if (testing::has_octave()) {
    ASSERT_TRUE(testing::run_octave(
        folder.path(),
        "[i,j,t] = ndgrid(0:3,0:5,0:29); X = uint8(mod(3*i+2*j+7*t,256)); save -v7 a.mat X; "
        "Y = permute(X, [3 1 2]); save -v7 b.mat Y;"));
    FrameOptions options;
    const auto source = open_frames((folder / "a.mat").string(), options);
    expect_clip(all_frames(*source), clip_format(4, 6), 30);
    options.layout = "thw";
    const auto other = open_frames((folder / "b.mat:Y").string(), options);
    expect_clip(all_frames(*other), clip_format(4, 6), 30);
  }
  hid_t file = H5Fcreate((folder / "a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (const std::string name : {"hwt", "thw"}) {
    std::array<hsize_t, 3> extents = {4, 6, 30};
    if (name == "thw") extents = {30, 4, 6};
    std::vector<std::uint8_t> entries;
    for (int p = 0; p < 4 * 6 * 30; ++p) {
      const int time = name == "hwt" ? p % 30 : p / 24;
      const int pixel = name == "hwt" ? p / 30 : p % 24;
      entries.push_back(
          static_cast<std::uint8_t>(testing::clip_code(pixel / 6, pixel % 6, 0, time, 8)));
    }
    const hid_t space = H5Screate_simple(3, extents.data(), nullptr);
    const hid_t set =
        H5Dcreate2(file, name.c_str(), H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, entries.data());
    H5Dclose(set);
    H5Sclose(space);
  }
  H5Fclose(file);
  for (const std::string name : {"hwt", "thw"}) {
    FrameOptions options;
    options.layout = name;
    options.first = 5;
    const auto source = open_frames((folder / "a.h5").string() + ":/" + name, options);
    expect_clip(all_frames(*source), clip_format(4, 6), 25, 5);
  }
}
#endif

}  // namespace
}  // namespace sunder
