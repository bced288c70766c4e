#include <fmt/format.h>

#include <algorithm>

#include "io/files/plain_reader.hpp"
#include "io/npy/npy_file.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/sparse_writer.hpp"

namespace sunder {

/// Reads the positions in a file of coordinates, one after another.
class SupportCounter::Truth {
 public:
  Truth(const std::filesystem::path& path, const Shape& shape)
      : shape_(shape), header_(NpyArray(path).header), file_(path) {
    if (header_.dtype != "<i8" || header_.shape.order() != 2 || header_.shape[1] != shape.order() ||
        header_.order != StorageOrder::c) {
      throw InputError(fmt::format(
          "cannot use {}: expected a count x {} array of dtype <i8 in C order, but it is {} of "
          "dtype {}",
          path.string(), shape.order(), to_string(header_.shape), header_.dtype));
    }
  }

  void rewind() {
    row_ = 0;
    at_ = 0;
    positions_.clear();
  }
  Index count() const { return header_.shape[0]; }
  bool ended() {
    if (at_ == positions_.size()) refill();
    return at_ == positions_.size();
  }
  Index position() const { return positions_[at_]; }
  void advance() { ++at_; }

 private:
  void refill() {
    constexpr Index most_rows = 1 << 16;
    const Index rows = std::min(most_rows, count() - row_);
    const auto order = static_cast<std::size_t>(shape_.order());
    std::vector<Index> coordinates(static_cast<std::size_t>(rows) * order);
    file_.read(static_cast<std::int64_t>(header_.data_offset) +
                   row_ * shape_.order() * static_cast<Index>(sizeof(Index)),
               std::as_writable_bytes(std::span(coordinates)));
    positions_.clear();
    for (std::size_t k = 0; k < static_cast<std::size_t>(rows); ++k) {
      positions_.push_back(
          shape_.linear(std::span<const Index>(coordinates).subspan(k * order, order)));
    }
    at_ = 0;
    row_ += rows;
  }

  Shape shape_;
  NpyHeader header_;
  InputDescriptor file_;
  std::vector<Index> positions_;
  std::size_t at_ = 0;
  Index row_ = 0;
};

SupportCounter::SupportCounter(const std::filesystem::path& folder, const Shape& shape)
    : truth_(std::make_unique<Truth>(folder / "sparse_coords.npy", shape)) {}

SupportCounter::~SupportCounter() = default;

void SupportCounter::begin(const Shape& /*shape*/, bool in_order) {
  known_ = in_order;
  found_ = 0;
  common_ = 0;
  truth_->rewind();
}

void SupportCounter::add(std::span<const Index> positions, std::span<const double> /*values*/) {
  if (!known_) return;
  found_ += std::ssize(positions);
  for (const Index position : positions) {
    while (!truth_->ended() && truth_->position() < position) truth_->advance();
    if (truth_->ended()) return;
    common_ += truth_->position() == position ? 1 : 0;
  }
}

SupportScore SupportCounter::score() const {
  SupportScore score;
  if (found_ > 0) score.precision = static_cast<double>(common_) / static_cast<double>(found_);
  if (truth_->count() > 0) {
    score.recall = static_cast<double>(common_) / static_cast<double>(truth_->count());
  }
  return score;
}

}  // namespace sunder
