#include "sunder/io/tensor_slices.hpp"

#include <gtest/gtest.h>

#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/npy.hpp"

namespace sunder {
namespace {

using testing::TemporaryFolder;

/// A file whose slabs are rows of the first mode, two at a time, as those of a large C-order file.
class SlabbedFile : public TensorFile {
 public:
  explicit SlabbedFile(const TensorView& tensor) : tensor_(tensor) {}
  std::string format() const override { return "rows"; }
  Shape shape() const override { return tensor_.shape(); }
  ScalarType type() const override { return tensor_.type(); }
  StorageOrder storage_order() const override { return StorageOrder::c; }
  LoadedTensor load() const override { return {tensor_, nullptr}; }
  void scan(const std::function<Continue(const TensorView& slab)>& visit) const override {
    for (Index begin = 0; begin < shape()[0]; begin += 2) {
      const TensorView slab = tensor_.slab(0, begin, std::min(begin + 2, shape()[0]));
      if (visit(slab) == Continue::cancel) return;
    }
  }

 private:
  TensorView tensor_;
};

DenseTensor numbered(const Shape& shape, StorageOrder order) {
  DenseTensor tensor(shape, ScalarType::f64, order);
  double next = 0;
  for (double& x : tensor.typed<double>()) x = next++;
  return tensor;
}

void expect_all_slices(const TensorFile& file, const TensorView& tensor) {
  Index seen = 0;
  scan_slices(file, [&](const TensorView& slice, Index number) {
    EXPECT_EQ(number, seen++);
    EXPECT_EQ(slice.shape(), (Shape{5, 3}));
    for (Index i = 0; i < 5; ++i) {
      for (Index j = 0; j < 3; ++j) EXPECT_EQ(slice({i, j}), tensor({i, j, number}));
    }
    return Continue::yes;
  });
  EXPECT_EQ(seen, 7);
}

TEST(ScanSlices, FilesOfEitherOrder) {
  const TemporaryFolder folder;
  for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
    const DenseTensor tensor = numbered({5, 3, 7}, order);
    write_npy(folder / "T.npy", tensor.view());
    expect_all_slices(*open_tensor((folder / "T.npy").string()), tensor.view());
  }
}

TEST(ScanSlices, SlabsThatCutTheSlices) {
  const DenseTensor tensor = numbered({5, 3, 7}, StorageOrder::c);
  expect_all_slices(SlabbedFile(tensor.view()), tensor.view());
}

TEST(ScanSlices, EndsWhenTold) {
  const DenseTensor tensor = numbered({5, 3, 7}, StorageOrder::c);
  int calls = 0;
  scan_slices(SlabbedFile(tensor.view()), [&](const TensorView&, Index number) {
    ++calls;
    return number == 2 ? Continue::cancel : Continue::yes;
  });
  EXPECT_EQ(calls, 3);
}

TEST(ScanSlices, VectorsAreSlicesOfMatrices) {
  const DenseTensor matrix = numbered({4, 3}, StorageOrder::c);
  const TensorView column = last_mode_slice(matrix.view(), 1);
  EXPECT_EQ(column.shape(), Shape{4});
  EXPECT_EQ(column({2}), 7);
}

}  // namespace
}  // namespace sunder
