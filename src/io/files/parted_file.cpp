#include "io/files/parted_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/files/memory.hpp"
#include "io/files/whole_number.hpp"
#include "io/npy/npy_file.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw InputError(fmt::format("cannot read {}: {}", name, why));
}

PartsList parse(const Json& json) {
  PartsList list;
  list.shape = Shape(whole_numbers<Index>(json.at("shape")));
  const std::optional<ScalarType> type = parse_scalar_type(json.at("dtype").get<std::string>());
  if (!type) throw InputError("its dtype is none of f64, f32, u8, u16, i16 and i32");
  list.type = *type;
  for (const Json& part : json.at("parts")) {
    list.parts.push_back({part.at("file").get<std::string>(), whole_number<Index>(part.at("begin")),
                          whole_number<Index>(part.at("end"))});
  }
  return list;
}

/// A list may come from an untrusted source: it may name only files beside it.
bool is_plain_name(const std::string& file) {
  return !file.empty() && file != "." && file != ".." && fs::path(file).filename() == file;
}

void require_complete(const PartsList& list, const std::string& name) {
  Index covered = 0;
  for (const TensorPart& part : list.parts) {
    if (part.begin < 0 || part.begin > part.end || part.end > list.shape[0]) {
      refuse(name, fmt::format("{} has rows {} to {}, but the tensor has {}", part.file, part.begin,
                               part.end, list.shape[0]));
    }
    if (!is_plain_name(part.file)) {
      refuse(name, fmt::format("'{}' is not a file beside it", part.file));
    }
    if (part.begin > covered) break;
    covered = std::max(covered, part.end);
  }
  if (covered < list.shape[0]) {
    refuse(name, fmt::format("no part has row {} of {}; parts must come in ascending order",
                             covered, list.shape[0]));
  }
}

/// Reads from the parts that are present.
class PartedReader final : public EntryReader {
 public:
  PartedReader(fs::path folder, const PartsList& list)
      : folder_(std::move(folder)),
        list_(list),
        row_(list.shape.entries() / list.shape[0]),
        readers_(list.parts.size()),
        failures_(list.parts.size()) {}

  TensorView layout() const override { return {nullptr, list_.type, list_.shape}; }

  void read(Index first, Index count, void* out) override {
    auto* to = static_cast<std::byte*>(out);
    while (count > 0) {
      const std::size_t part = part_with(first);
      const Index here = std::min(count, list_.parts[part].end * row_ - first);
      readers_[part]->read(first - list_.parts[part].begin * row_, here, to);
      to += here * static_cast<Index>(size_of(list_.type));
      first += here;
      count -= here;
    }
  }

  void read_at(std::span<const Index> numbers, std::span<double> out) override {
    std::vector<Index> local;
    for (std::size_t begin = 0; begin < numbers.size();) {
      const std::size_t part = part_with(numbers[begin]);
      const Index last = list_.parts[part].end * row_;
      local.clear();
      for (std::size_t k = begin; k < numbers.size() && numbers[k] < last; ++k) {
        local.push_back(numbers[k] - list_.parts[part].begin * row_);
      }
      readers_[part]->read_at(local, out.subspan(begin, local.size()));
      begin += local.size();
    }
  }

  std::int64_t bytes_read() const override {
    std::int64_t sum = 0;
    for (const auto& reader : readers_) sum += reader ? reader->bytes_read() : 0;
    return sum;
  }

 private:
  /// Returns an open part that holds the entry; among several, the one that holds most of what
  /// follows.
  std::size_t part_with(Index number) {
    const Index row = number / row_;
    std::size_t best = list_.parts.size();
    std::string failure;
    for (std::size_t k = 0; k < list_.parts.size(); ++k) {
      const TensorPart& part = list_.parts[k];
      if (row < part.begin || row >= part.end || !open(k)) {
        if (row >= part.begin && row < part.end) failure = failures_[k];
        continue;
      }
      if (best == list_.parts.size() || part.end > list_.parts[best].end) best = k;
    }
    if (best == list_.parts.size()) {
      throw InputError(fmt::format("this process needs row {} of the tensor: {}", row, failure));
    }
    return best;
  }

  bool open(std::size_t k) {
    if (readers_[k] || !failures_[k].empty()) return readers_[k] != nullptr;
    const TensorPart& part = list_.parts[k];
    try {
      const NpyFile file(folder_ / part.file);
      Shape expected = with_extent(list_.shape, 0, part.end - part.begin);
      if (file.shape() != expected || file.type() != list_.type ||
          file.storage_order() != StorageOrder::c) {
        failures_[k] =
            fmt::format("{} should hold {} of type {} in C order, but holds {} of type {}",
                        (folder_ / part.file).string(), to_string(expected), to_string(list_.type),
                        to_string(file.shape()), to_string(file.type()));
        return false;
      }
      readers_[k] = file.reader();
    } catch (const InputError& error) {
      failures_[k] = error.what();
    }
    return readers_[k] != nullptr;
  }

  fs::path folder_;
  PartsList list_;
  Index row_;  ///< entries per index of the first mode
  std::vector<std::unique_ptr<EntryReader>> readers_;
  std::vector<std::string> failures_;  ///< the reason why a part cannot be read
};

}  // namespace

bool is_parts_list(const fs::path& path) { return path.extension() == ".json"; }

PartedFile::PartedFile(const fs::path& list) : folder_(list.parent_path()), name_(list.string()) {
  std::ifstream file(list);
  if (!file) refuse(name_, "there is no such file");
  try {
    list_ = parse(Json::parse(file));
  } catch (const Json::exception&) {
    refuse(name_, "it is not a list of parts as `sunder split` writes it");
  } catch (const InputError& error) {
    refuse(name_, error.what());
  }
  if (list_.shape.order() == 0 || list_.shape.entries() == 0) refuse(name_, "its tensor is empty");
  require_complete(list_, name_);
}

std::string PartedFile::format() const {
  return fmt::format("{} parts in NumPy .npy", list_.parts.size());
}

std::unique_ptr<EntryReader> PartedFile::reader() const {
  return std::make_unique<PartedReader>(folder_, list_);
}

LoadedTensor PartedFile::load() const {
  require_memory(shape(), type(), name_);
  const auto whole = std::make_shared<DenseTensor>(shape(), type());
  reader()->read(0, shape().entries(), whole->data());
  return {whole->view(), whole};
}

void PartedFile::scan(const std::function<Continue(const TensorView& slab)>& visit) const {
  const Index length = slab_length(shape(), type(), 0);
  require_memory(with_extent(shape(), 0, length), type(), name_);
  const Index row = shape().entries() / shape()[0];
  const std::unique_ptr<EntryReader> entries = reader();
  for (Index begin = 0; begin < shape()[0]; begin += length) {
    DenseTensor slab(with_extent(shape(), 0, std::min(length, shape()[0] - begin)), type());
    entries->read(begin * row, slab.entries(), slab.data());
    if (visit(slab.view()) == Continue::cancel) return;
  }
}

std::string render_parts(const PartsList& list) {
  Json parts = Json::array();
  for (const TensorPart& part : list.parts) {
    parts.push_back({{"file", part.file}, {"begin", part.begin}, {"end", part.end}});
  }
  const Json json = {{"shape", std::vector<Index>(list.shape.begin(), list.shape.end())},
                     {"dtype", to_string(list.type)},
                     {"parts", parts}};
  return json.dump(2) + "\n";
}

TensorPart part_of(const Shape& shape, int number, int count) {
  const Index rows = shape[0];
  const Index row = std::max<Index>(1, shape.entries() / rows);
  // The end of a share is within one chunk of a million entries, and one group of 64, of its ideal
  // place.
  const Index margin = std::max(rows / 32, (Index{1} << 21) / row) + 1;
  const Index begin = rows * number / count;
  const Index end = rows * (number + 1) / count;
  return {fmt::format("part-{}.npy", number), std::max<Index>(0, begin - margin),
          std::min(rows, end + margin)};
}

}  // namespace sunder
