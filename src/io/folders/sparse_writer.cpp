#include "sunder/io/sparse_writer.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "core/files/output_file.hpp"
#include "io/files/plain_reader.hpp"
#include "io/npy/npy_header.hpp"

namespace sunder {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t run_entries = std::size_t{1} << 21;    ///< 32 MiB are sorted at a time
constexpr std::size_t merge_entries = std::size_t{1} << 21;  ///< for all runs together
constexpr std::size_t header_bytes = 128;  ///< constant, because the count is known only at the end

std::string header(std::string_view dtype, const Shape& shape) {
  return format_npy_header(dtype, StorageOrder::c, shape, header_bytes);
}

void write_text(OutputFile& file, const std::string& text) {
  file.write_values(std::span<const char>(text));
}

}  // namespace

SparseWriter::SparseWriter(fs::path folder, SparseReceiver* next)
    : folder_(std::move(folder)), next_(next) {}

SparseWriter::~SparseWriter() = default;

void SparseWriter::begin(const Shape& shape, bool in_order) {
  began_ = true;
  shape_ = shape;
  in_order_ = in_order;
  count_ = 0;
  square_sum_ = 0;
  buffer_.clear();
  runs_.clear();
  coordinates_ = std::make_unique<OutputFile>(folder_ / "sparse_coords.npy");
  values_ = std::make_unique<OutputFile>(folder_ / "sparse_values.npy");
  write_text(*coordinates_, header("<i8", {0, Index{shape.order()}}));
  write_text(*values_, header("<f8", {0}));
  q_ = nullptr;
  q_count_ = 0;
  run_file_ = in_order ? nullptr : std::make_unique<OutputFile>(folder_ / "sparse_runs");
  if (next_ != nullptr) next_->begin(shape, true);
}

void SparseWriter::add(std::span<const Index> positions, std::span<const double> values) {
  if (in_order_) return write_sorted(positions, values);
  buffer_.reserve(run_entries);
  for (std::size_t k = 0; k < positions.size(); ++k) {
    buffer_.push_back({positions[k], values[k]});
    if (buffer_.size() == run_entries) write_run();
  }
}

void SparseWriter::add_q(std::span<const double> q) {
  if (!in_order_) return;
  if (!q_) {
    q_ = std::make_unique<OutputFile>(folder_ / "sparse_q.npy");
    write_text(*q_, header("<f8", {0}));
  }
  q_->write_values(q);
  q_count_ += std::ssize(q);
}

void SparseWriter::write_sorted(std::span<const Index> positions, std::span<const double> values) {
  constexpr std::size_t at_once = 1 << 14;
  const int order = shape_.order();
  for (std::size_t begin = 0; begin < positions.size(); begin += at_once) {
    const std::size_t end = std::min(begin + at_once, positions.size());
    coordinate_buffer_.clear();
    for (std::size_t k = begin; k < end; ++k) {
      const ModeIndices index = shape_.unravel(positions[k]);
      coordinate_buffer_.insert(coordinate_buffer_.end(), index.begin(), index.begin() + order);
    }
    coordinates_->write_values(std::span<const Index>(coordinate_buffer_));
  }
  values_->write_values(values);
  for (const double value : values) square_sum_ += value * value;
  count_ += std::ssize(positions);
  if (next_ != nullptr) next_->add(positions, values);
}

void SparseWriter::write_run() {
  if (buffer_.empty()) return;
  std::sort(buffer_.begin(), buffer_.end(),
            [](const Entry& a, const Entry& b) { return a.position < b.position; });
  run_file_->write_values(std::span<const Entry>(buffer_));
  const Index begin = runs_.empty() ? 0 : runs_.back().end;
  runs_.push_back({begin, begin + std::ssize(buffer_)});
  buffer_.clear();
}

void SparseWriter::merge() {
  write_run();
  std::vector<Entry>().swap(buffer_);
  run_file_->commit();
  const fs::path path = folder_ / "sparse_runs";
  const InputDescriptor file(path);
  fs::remove(path);  // the open descriptor keeps the file until the end, invisibly
  struct Cursor {
    Run rest;
    std::vector<Entry> entries;
    std::size_t at = 0;
  };
  std::vector<Cursor> cursors;
  const std::size_t share = merge_entries / std::max<std::size_t>(runs_.size(), 1) + 1;
  const auto refill = [&](Cursor& cursor) {
    const auto left = static_cast<std::size_t>(cursor.rest.end - cursor.rest.begin);
    cursor.entries.resize(std::min(share, left));
    file.read(cursor.rest.begin * static_cast<Index>(sizeof(Entry)),
              std::as_writable_bytes(std::span(cursor.entries)));
    cursor.rest.begin += std::ssize(cursor.entries);
    cursor.at = 0;
  };
  using Head = std::pair<Index, std::size_t>;  // position, run
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  for (const Run& run : runs_) {
    cursors.push_back({run, {}, 0});
    refill(cursors.back());
    heads.emplace(cursors.back().entries.front().position, cursors.size() - 1);
  }
  std::vector<Index> positions;
  std::vector<double> values;
  while (!heads.empty()) {
    Cursor& cursor = cursors[heads.top().second];
    const std::size_t run = heads.top().second;
    heads.pop();
    positions.push_back(cursor.entries[cursor.at].position);
    values.push_back(cursor.entries[cursor.at].value);
    if (++cursor.at == cursor.entries.size()) refill(cursor);
    if (cursor.at < cursor.entries.size()) heads.emplace(cursor.entries[cursor.at].position, run);
    if (positions.size() < (std::size_t{1} << 16) && !heads.empty()) continue;
    write_sorted(positions, values);
    positions.clear();
    values.clear();
  }
}

void SparseWriter::finish(const Shape& shape) {
  if (!began_) begin(shape, true);
  if (!in_order_) merge();
  coordinates_->seek(0);
  write_text(*coordinates_, header("<i8", {count_, Index{shape_.order()}}));
  values_->seek(0);
  write_text(*values_, header("<f8", {count_}));
  coordinates_->commit();
  values_->commit();
  if (q_count_ != count_) q_.reset();  // and its file, before somebody moves the folder
  if (!q_) return;
  q_->seek(0);
  write_text(*q_, header("<f8", {q_count_}));
  q_->commit();
}

double SparseWriter::norm() const { return std::sqrt(square_sum_); }

}  // namespace sunder
