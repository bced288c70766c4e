#include "engine/pass/tiling.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sunder/core/dense_tensor.hpp"

namespace sunder {
namespace {

TEST(Tiling, VisitsEveryEntryOnceInWhateverOrderTheMemoryHas) {
  for (const StorageOrder order : {StorageOrder::c, StorageOrder::fortran}) {
    for (const Shape& shape :
         {Shape{5, 3}, Shape{2100, 3}, Shape{3, 4, 1030}, Shape{2, 3, 2, 30, 40}}) {
      DenseTensor tensor(shape, ScalarType::i32, order);
      // Entry = its position in C order, so that a tile can be checked against the position it
      // claims.
      for (Index position = 0; position < shape.entries(); ++position) {
        const ModeIndices index = shape.unravel(position);
        Index offset = 0;
        for (int mode = 0; mode < shape.order(); ++mode) {
          offset += index[mode] * tensor.view().stride(mode);
        }
        tensor.typed<std::int32_t>()[offset] = static_cast<std::int32_t>(position);
      }
      const Tiling tiling(tensor.view());
      std::set<Index> seen;
      std::vector<double> buffer(tiling.largest_tile());
      for (int chunk = 0; chunk < tiling.chunks(); ++chunk) {
        for (Index number = tiling.first_tile(chunk); number < tiling.first_tile(chunk + 1);
             ++number) {
          const Tile tile = tiling.tile(number);
          tiling.read(tile, {tensor.data(), 0}, buffer.data());
          for (Index i = 0; i < tile.rows; ++i) {
            for (Index j = 0; j < tile.columns; ++j) {
              const Index position =
                  tiling.position(tile) + i * tiling.row_step() + j * tiling.column_step();
              ASSERT_EQ(buffer[i * tile.columns + j], static_cast<double>(position));
              seen.insert(position);
            }
          }
        }
      }
      EXPECT_EQ(std::ssize(seen), shape.entries());
    }
  }
}

}  // namespace
}  // namespace sunder
