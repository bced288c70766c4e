#include "io/npy_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "io/memory.hpp"
#include "io/plain_reader.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

NpyArray::NpyArray(const std::filesystem::path& path)
    : name(path.string()),
      file(std::make_shared<const MappedFile>(path)),
      header(parse_npy_header(file->bytes(), name)) {}

std::span<const std::byte> NpyArray::data(std::size_t entry_bytes) const {
  const std::span<const std::byte> present = file->bytes().subspan(header.data_offset);
  const std::size_t promised = static_cast<std::size_t>(header.shape.entries()) * entry_bytes;
  if (promised > present.size()) {
    throw InputError(fmt::format(
        "cannot read {}: its header promises {} bytes of entries ({}), but {} came; the file is "
        "cut off, copy or save it again",
        name, promised, to_string(header.shape), present.size()));
  }
  return present.first(promised);
}

NpyFile::NpyFile(const std::filesystem::path& path)
    : array_(path), type_(scalar_type_of_dtype(array_.header.dtype, array_.name)) {
  data_ = array_.data(size_of(type_));
  if (array_.header.shape.order() == 0) {
    throw InputError(
        fmt::format("cannot read {}: it holds a single number; expected an array of order 1 to {}",
                    array_.name, max_order));
  }
}

std::string NpyFile::format() const {
  return fmt::format("NumPy .npy {}.{}", array_.header.major, array_.header.minor);
}

// numpy aligns the entries, but the format does not oblige others to.
bool NpyFile::aligned() const {
  return reinterpret_cast<std::uintptr_t>(data_.data()) % size_of(type_) == 0;
}

LoadedTensor NpyFile::load() const {
  if (aligned()) {
    return {TensorView(data_.data(), type_, shape(), storage_order()), array_.file};
  }
  require_memory(shape(), type_, array_.name);
  const auto copy = std::make_shared<DenseTensor>(shape(), type_, storage_order());
  std::memcpy(copy->data(), data_.data(), data_.size());
  return {copy->view(), copy};
}

std::unique_ptr<EntryReader> NpyFile::reader() const {
  return std::make_unique<PlainReader>(array_.name,
                                       static_cast<std::int64_t>(array_.header.data_offset), type_,
                                       shape(), storage_order());
}

void NpyFile::scan(const std::function<Continue(const TensorView& slab)>& visit) const {
  const int mode = storage_order() == StorageOrder::c ? 0 : shape().order() - 1;
  const Index length = slab_length(shape(), type_, mode);
  if (shape().entries() == 0) return;
  const Index one = shape().entries() / shape()[mode] * static_cast<Index>(size_of(type_));
  for (Index begin = 0; begin < shape()[mode]; begin += length) {
    const Index count = std::min(length, shape()[mode] - begin);
    const std::byte* const first = data_.data() + begin * one;
    const Shape extents = with_extent(shape(), mode, count);
    if (aligned()) {
      if (visit({first, type_, extents, storage_order()}) == Continue::cancel) return;
      continue;
    }
    DenseTensor copy(extents, type_, storage_order());
    std::memcpy(copy.data(), first, static_cast<std::size_t>(count * one));
    if (visit(copy.view()) == Continue::cancel) return;
  }
}

}  // namespace sunder
