#include "io/hdf5/hdf5_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "io/files/formats.hpp"
#include "io/files/mapped_file.hpp"
#include "io/files/memory.hpp"
#include "io/hdf5/hdf5_catalog.hpp"
#include "io/hdf5/hdf5_coding.hpp"
#include "io/hdf5/hdf5_reader.hpp"
#include "io/hdf5/hdf5_written.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

hid_t memory_type(ScalarType type) {
  switch (type) {
    case ScalarType::f32:
      return H5T_NATIVE_FLOAT;
    case ScalarType::u8:
      return H5T_NATIVE_UINT8;
    case ScalarType::u16:
      return H5T_NATIVE_UINT16;
    case ScalarType::i16:
      return H5T_NATIVE_INT16;
    case ScalarType::i32:
      return H5T_NATIVE_INT32;
    case ScalarType::f64:
      break;
  }
  return H5T_NATIVE_DOUBLE;
}

}  // namespace

Hdf5File::Hdf5File(const std::filesystem::path& path, const std::string& dataset)
    : path_(path), name_(path.string()) {
  require_readable_file(path);
  require_no_driver(path);
  const Hdf5Silence silence;
  file_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file_) fail(fmt::format("HDF5 says: {}; copy or write the file again", hdf5_reason()));
  open_dataset(dataset);
  describe();
}

void Hdf5File::fail(const std::string& what) const {
  throw InputError(fmt::format("cannot read {}: {}", name_, what));
}

void Hdf5File::open_dataset(const std::string& dataset) {
  std::string chosen = dataset;
  if (dataset.empty()) {
    const std::vector<Hdf5Entry> usable = usable_entries(list_datasets(file_));
    if (usable.size() != 1) {
      fail(fmt::format("it holds {} numeric datasets; choose one with FILE:/NAME ({})",
                       usable.empty() ? "no" : "several", describe_datasets(file_)));
    }
    chosen = usable.front().name;
  }
  dataset_ = Hdf5Handle(H5Dopen2(file_.get(), chosen.c_str(), H5P_DEFAULT));
  if (!dataset_) {
    fail(fmt::format("there is no dataset '{}' ({})", chosen, describe_datasets(file_)));
  }
  dataset_name_ = chosen;
  name_ += ":" + chosen;
}

void Hdf5File::describe() {
  const Hdf5Entry entry = describe_dataset(dataset_.get(), "");
  if (entry.extents.empty()) {
    fail(fmt::format("it holds a single value or nothing; expected an array of order 1 to {}",
                     max_order));
  }
  if (!entry.type) {
    fail(
        fmt::format("its type is {}, which is not one of float64, float32, uint8, uint16, int16 "
                    "and int32; convert it, to float64 for example, and write it again",
                    entry.type_name));
  }
  type_ = *entry.type;
  try {
    shape_ = Shape(entry.extents);
  } catch (const InputError& error) {
    fail(error.what());
  }
  if (const std::string coding = coding_of(dataset_.get()); !coding.empty()) {
    fail(
        fmt::format("{}; write the values themselves, with NaN for what is missing, for example by "
                    "numpy.save('T.npy', xarray.open_dataset('{}')['{}'].values)",
                    coding, path_.string(), dataset_name_));
  }
  // A contiguous dataset with an address lies in the file in one piece.
  const auto file_bytes = static_cast<Index>(std::filesystem::file_size(path_));
  if (H5Dget_offset(dataset_.get()) != HADDR_UNDEF &&
      shape_.entries() * static_cast<Index>(size_of(type_)) > file_bytes) {
    fail(fmt::format("its shape {} cannot fit in a file of {} bytes; copy or write the file again",
                     to_string(shape_), file_bytes));
  }
}

void Hdf5File::require_written() const {
  if (const std::string unwritten = unwritten_part(dataset_.get(), shape_); !unwritten.empty()) {
    fail(
        fmt::format("{}, and would be read as fill values; write the whole dataset, or create it "
                    "with NaN as its fill value, so that these entries count as missing",
                    unwritten));
  }
}

LoadedTensor Hdf5File::load() const {
  require_memory(shape_, type_, name_);
  require_written();
  const auto tensor = std::make_shared<DenseTensor>(shape_, type_);
  if (shape_.entries() > 0) read_slab(0, 0, shape_[0], tensor->data());
  return {tensor->view(), tensor};
}

LoadedTensor Hdf5File::load_slab(int mode, Index begin, Index end) const {
  const Shape shape = with_extent(shape_, mode, end - begin);
  require_memory(shape, type_, name_);
  require_written();
  const auto tensor = std::make_shared<DenseTensor>(shape, type_);
  if (shape.entries() > 0) read_slab(mode, begin, end - begin, tensor->data());
  return {tensor->view(), tensor};
}

void Hdf5File::scan(const std::function<Continue(const TensorView& slab)>& visit) const {
  if (shape_.entries() == 0) return;
  const Index length = slab_length(shape_, type_, 0);
  require_memory(with_extent(shape_, 0, length), type_, name_);
  require_written();
  for (Index begin = 0; begin < shape_[0]; begin += length) {
    const Index count = std::min(length, shape_[0] - begin);
    DenseTensor slab(with_extent(shape_, 0, count), type_);
    read_slab(0, begin, count, slab.data());
    if (visit(slab.view()) == Continue::cancel) return;
  }
}

void Hdf5File::read_slab(int mode, Index begin, Index count, void* out) const {
  const Hdf5Silence silence;
  std::array<hsize_t, max_order> start{};
  std::array<hsize_t, max_order> extents{};
  std::transform(shape_.begin(), shape_.end(), extents.begin(),
                 [](Index extent) { return static_cast<hsize_t>(extent); });
  start[mode] = static_cast<hsize_t>(begin);
  extents[mode] = static_cast<hsize_t>(count);
  const Hdf5Handle in_file(H5Dget_space(dataset_.get()));
  const Hdf5Handle in_memory(H5Screate_simple(shape_.order(), extents.data(), nullptr));
  const bool read = in_file && in_memory &&
                    H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr,
                                        extents.data(), nullptr) >= 0 &&
                    H5Dread(dataset_.get(), memory_type(type_), in_memory.get(), in_file.get(),
                            H5P_DEFAULT, out) >= 0;
  if (!read) fail(fmt::format("HDF5 says: {}; copy or write the file again", hdf5_reason()));
}

std::unique_ptr<EntryReader> Hdf5File::reader() const {
  require_written();
  return std::make_unique<Hdf5Reader>(std::make_unique<Hdf5File>(path_, dataset_name_));
}

std::vector<Index> Hdf5File::chunk() const {
  const Hdf5Silence silence;
  const Hdf5Handle properties(H5Dget_create_plist(dataset_.get()));
  std::array<hsize_t, max_order> extents{};
  if (properties && H5Pget_layout(properties.get()) == H5D_CHUNKED &&
      H5Pget_chunk(properties.get(), max_order, extents.data()) == shape_.order()) {
    std::vector<Index> chunk;
    for (int mode = 0; mode < shape_.order(); ++mode) {
      chunk.push_back(static_cast<Index>(extents[mode]));
    }
    return chunk;
  }
  std::vector<Index> piece(shape_.order(), 1);
  piece.back() = std::clamp<Index>(4096 / static_cast<Index>(size_of(type_)), 1,
                                   std::max<Index>(1, shape_[shape_.order() - 1]));
  return piece;
}

void Hdf5File::read_points(std::span<const Index> positions, std::span<double> out) const {
  if (positions.empty()) return;
  const Hdf5Silence silence;
  const auto order = static_cast<std::size_t>(shape_.order());
  std::vector<hsize_t> coordinates;
  coordinates.reserve(positions.size() * order);
  for (const Index position : positions) {
    const ModeIndices index = shape_.unravel(position);
    for (std::size_t m = 0; m < order; ++m) coordinates.push_back(static_cast<hsize_t>(index[m]));
  }
  const hsize_t count = positions.size();
  const Hdf5Handle in_file(H5Dget_space(dataset_.get()));
  const Hdf5Handle in_memory(H5Screate_simple(1, &count, nullptr));
  const bool read = in_file && in_memory &&
                    H5Sselect_elements(in_file.get(), H5S_SELECT_SET, positions.size(),
                                       coordinates.data()) >= 0 &&
                    H5Dread(dataset_.get(), H5T_NATIVE_DOUBLE, in_memory.get(), in_file.get(),
                            H5P_DEFAULT, out.data()) >= 0;
  if (!read) fail(fmt::format("HDF5 says: {}; copy or write the file again", hdf5_reason()));
}

std::unique_ptr<TensorFile> open_hdf5(const TensorLocation& location) {
  return std::make_unique<Hdf5File>(location.path, location.name);
}

}  // namespace sunder
