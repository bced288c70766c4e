#pragma once
/// A tensor that is cut along its first mode into .npy files, so that each machine can keep its own
/// share on its own disk. `parts.json` lists the files.

#include <filesystem>
#include <string>
#include <vector>

#include "sunder/io/tensor_file.hpp"

namespace sunder {

/// Rows begin .. end of the first mode; parts may overlap.
struct TensorPart {
  std::string file;  ///< the name of a file beside the list
  Index begin = 0;
  Index end = 0;
};

struct PartsList {
  Shape shape;
  ScalarType type = ScalarType::f64;
  std::vector<TensorPart> parts;
};

class PartedFile final : public TensorFile {
 public:
  /// Throws InputError for a list that cannot be read or leaves rows out. Parts are opened when
  /// needed, so parts that another process works on may be absent.
  explicit PartedFile(const std::filesystem::path& list);

  std::string format() const override;
  Shape shape() const override { return list_.shape; }
  ScalarType type() const override { return list_.type; }
  StorageOrder storage_order() const override { return StorageOrder::c; }
  LoadedTensor load() const override;
  std::unique_ptr<EntryReader> reader() const override;
  void scan(const std::function<Continue(const TensorView& slab)>& visit) const override;

 private:
  std::filesystem::path folder_;
  std::string name_;
  PartsList list_;
};

/// Returns true if the name is that of a list of parts.
bool is_parts_list(const std::filesystem::path& path);

std::string render_parts(const PartsList& list);

/// Returns the rows that process `number` of `count` may have to read. They are a little more than
/// its share, whose end depends on the rank and the precision of a pass.
TensorPart part_of(const Shape& shape, int number, int count);

}  // namespace sunder
