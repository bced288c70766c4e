#include "sunder/io/sparse_part.hpp"

#include <algorithm>
#include <vector>

#include "core/files/output_file.hpp"
#include "io/files/plain_reader.hpp"

namespace sunder {

namespace fs = std::filesystem;

namespace {

struct Entry {
  Index position = 0;
  double value = 0;
};

}  // namespace

SparsePart::SparsePart(fs::path path) : path_(std::move(path)) {}

SparsePart::~SparsePart() = default;

void SparsePart::begin(const Shape& /*shape*/, bool /*in_order*/) {
  file_ = std::make_unique<OutputFile>(path_);
}

void SparsePart::add(std::span<const Index> positions, std::span<const double> values) {
  std::vector<Entry> entries;
  entries.reserve(positions.size());
  for (std::size_t k = 0; k < positions.size(); ++k) entries.push_back({positions[k], values[k]});
  file_->write_values(std::span<const Entry>(entries));
}

void SparsePart::finish() {
  if (!file_) file_ = std::make_unique<OutputFile>(path_);
  file_->commit();
}

void fetch_part(const fs::path& path, SparseReceiver& to) {
  constexpr std::int64_t most = 1 << 16;
  const InputDescriptor file(path);
  const auto count = static_cast<std::int64_t>(fs::file_size(path) / sizeof(Entry));
  for (std::int64_t begin = 0; begin < count; begin += most) {
    std::vector<Entry> entries(std::min(most, count - begin));
    file.read(begin * static_cast<std::int64_t>(sizeof(Entry)),
              std::as_writable_bytes(std::span(entries)));
    std::vector<Index> positions;
    std::vector<double> values;
    for (const Entry& entry : entries) {
      positions.push_back(entry.position);
      values.push_back(entry.value);
    }
    to.add(positions, values);
  }
  fs::remove(path);
}

}  // namespace sunder
