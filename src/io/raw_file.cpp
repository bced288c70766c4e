#include "io/raw_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/memory.hpp"
#include "io/plain_reader.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

RawFile::RawFile(const std::filesystem::path& path, const RawLayout& layout)
    : path_(path), layout_(layout), file_(std::make_shared<const MappedFile>(path)) {
  const double expected =
      static_cast<double>(layout.shape.entries()) * static_cast<double>(size_of(layout.type));
  if (static_cast<double>(file_->bytes().size()) == expected) return;
  throw InputError(fmt::format(
      "cannot read {}: {} entries of type {} are {:.0f} bytes, but the file has {}; check "
      "--raw-shape and --raw-type",
      path.string(), to_string(layout.shape), to_string(layout.type), expected,
      file_->bytes().size()));
}

LoadedTensor RawFile::load() const {
  return {TensorView(file_->bytes().data(), layout_.type, layout_.shape), file_};
}

std::unique_ptr<EntryReader> RawFile::reader() const {
  return std::make_unique<PlainReader>(path_, 0, layout_.type, layout_.shape, StorageOrder::c);
}

void RawFile::scan(const std::function<Continue(const TensorView& slab)>& visit) const {
  const Index length = slab_length(layout_.shape, layout_.type, 0);
  const TensorView whole = load().view;
  for (Index begin = 0; begin < layout_.shape[0]; begin += length) {
    const Index end = std::min(begin + length, layout_.shape[0]);
    if (visit(whole.slab(0, begin, end)) == Continue::cancel) return;
  }
}

}  // namespace sunder
