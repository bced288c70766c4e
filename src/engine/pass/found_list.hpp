#pragma once
/// The entries of S that a chunk finds.

#include <algorithm>
#include <memory>
#include <span>

#include "sunder/core/shape.hpp"

namespace sunder {

/// Positions and values, with spare room that the kernels write to directly; std::vector would
/// first fill that room with zeros.
class FoundList {
 public:
  std::span<const Index> positions() const { return {positions_.get(), size()}; }
  std::span<const double> values() const { return {values_.get(), size()}; }
  Index count() const { return count_; }
  void set_count(Index count) { count_ = count; }
  Index* position_data() { return positions_.get(); }
  double* value_data() { return values_.get(); }

  /// Makes room for more entries and keeps the present ones.
  void make_room(Index more) {
    if (count_ + more <= capacity_) return;
    capacity_ = std::max(2 * capacity_, count_ + more);
    grow(positions_);
    grow(values_);
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(count_); }
  template <class T>
  void grow(std::unique_ptr<T[]>& data) {
    auto larger = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(capacity_));
    std::copy_n(data.get(), count_, larger.get());
    data = std::move(larger);
  }

  std::unique_ptr<Index[]> positions_;
  std::unique_ptr<double[]> values_;
  Index count_ = 0;
  Index capacity_ = 0;
};

}  // namespace sunder
