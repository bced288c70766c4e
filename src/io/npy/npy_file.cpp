#include "io/npy/npy_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "io/files/memory.hpp"
#include "io/files/open_array.hpp"
#include "io/files/plain_reader.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr std::size_t longest_header = std::size_t{1} << 20;  // numpy itself reads 10,000 bytes

std::size_t promised_bytes(const NpyHeader& header, std::size_t entry_bytes) {
  return static_cast<std::size_t>(header.shape.entries()) * entry_bytes;
}

void require_promised(const NpyArray& array, std::size_t promised, std::size_t file_bytes) {
  const std::size_t offset = array.header.data_offset;
  const std::size_t present = file_bytes - std::min(file_bytes, offset);
  if (promised <= present) return;
  throw InputError(fmt::format(
      "cannot read {}: its header promises {} bytes of entries ({}), but {} came; the file is "
      "cut off, copy or save it again",
      array.name, promised, to_string(array.header.shape), present));
}

}  // namespace

NpyArray::NpyArray(const std::filesystem::path& path)
    : name(path.string()),
      header(parse_npy_header(MappedFile(path, longest_header).bytes(), name)) {}

void NpyArray::require_entries(std::size_t entry_bytes) const {
  require_promised(*this, promised_bytes(header, entry_bytes), size_of_readable_file(name));
}

NpyArray::Entries NpyArray::map(std::size_t entry_bytes) const {
  const auto file = std::make_shared<const MappedFile>(name);
  const std::size_t promised = promised_bytes(header, entry_bytes);
  require_promised(*this, promised, file->bytes().size());
  return {file, file->bytes().subspan(header.data_offset, promised)};
}

NpyFile::NpyFile(const std::filesystem::path& path)
    : array_(path), type_(scalar_type_of_dtype(array_.header.dtype, array_.name)) {
  array_.require_entries(size_of(type_));
  if (array_.header.shape.order() == 0) {
    throw InputError(
        fmt::format("cannot read {}: it holds a single number; expected an array of order 1 to {}",
                    array_.name, max_order));
  }
}

std::string NpyFile::format() const {
  return fmt::format("NumPy .npy {}.{}", array_.header.major, array_.header.minor);
}

// numpy aligns the entries, but the format does not require it.
bool NpyFile::aligned() const { return array_.header.data_offset % size_of(type_) == 0; }

LoadedTensor NpyFile::load() const {
  const auto [file, bytes] = array_.map(size_of(type_));
  if (aligned()) return {TensorView(bytes.data(), type_, shape(), storage_order()), file};
  require_memory(shape(), type_, array_.name);
  const auto copy = std::make_shared<DenseTensor>(shape(), type_, storage_order());
  std::memcpy(copy->data(), bytes.data(), bytes.size());
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
  const NpyArray::Entries entries = array_.map(size_of(type_));
  const Index one = shape().entries() / shape()[mode] * static_cast<Index>(size_of(type_));
  for (Index begin = 0; begin < shape()[mode]; begin += length) {
    const Index count = std::min(length, shape()[mode] - begin);
    const std::byte* const first = entries.bytes.data() + begin * one;
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

std::unique_ptr<TensorFile> open_npy(const TensorLocation& location) {
  require_no_name(location, "a .npy file");
  return std::make_unique<NpyFile>(location.path);
}

}  // namespace sunder
