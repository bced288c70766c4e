#include "io/files/raw_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/files/mapped_file.hpp"
#include "io/files/memory.hpp"
#include "io/files/plain_reader.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

RawFile::RawFile(const std::filesystem::path& path, const RawLayout& layout)
    : path_(path), layout_(layout) {
  require_size(size_of_readable_file(path));
}

void RawFile::require_size(std::size_t bytes) const {
  const double expected =
      static_cast<double>(layout_.shape.entries()) * static_cast<double>(size_of(layout_.type));
  if (static_cast<double>(bytes) == expected) return;
  throw InputError(fmt::format(
      "cannot read {}: {} entries of type {} are {:.0f} bytes, but the file has {}; check "
      "`raw-shape` and `raw-type`",
      path_.string(), to_string(layout_.shape), to_string(layout_.type), expected, bytes));
}

LoadedTensor RawFile::load() const {
  const auto file = std::make_shared<const MappedFile>(path_);
  require_size(file->bytes().size());
  return {TensorView(file->bytes().data(), layout_.type, layout_.shape), file};
}

std::unique_ptr<EntryReader> RawFile::reader() const {
  return std::make_unique<PlainReader>(path_, 0, layout_.type, layout_.shape, StorageOrder::c);
}

void RawFile::scan(const std::function<Continue(const TensorView& slab)>& visit) const {
  const Index length = slab_length(layout_.shape, layout_.type, 0);
  const LoadedTensor whole = load();
  for (Index begin = 0; begin < layout_.shape[0]; begin += length) {
    const Index end = std::min(begin + length, layout_.shape[0]);
    if (visit(whole.view.slab(0, begin, end)) == Continue::cancel) return;
  }
}

}  // namespace sunder
