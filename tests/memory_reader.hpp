#pragma once
/// A reader whose file is a tensor in memory.

#include <algorithm>
#include <cstring>

#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/entry_reader.hpp"
#include "sunder/core/error.hpp"

namespace sunder::test {

class MemoryReader final : public EntryReader {
 public:
  /// From entry `broken_from` on, reading fails.
  explicit MemoryReader(const DenseTensor& tensor, Index broken_from = -1)
      : tensor_(tensor), broken_from_(broken_from) {}

  TensorView layout() const override {
    return {nullptr, tensor_.type(), tensor_.shape(), tensor_.storage_order()};
  }
  void read(Index first, Index count, void* out) override {
    require_whole(first + count);
    largest_read = std::max(largest_read, count);
    const std::size_t bytes = size_of(tensor_.type());
    std::memcpy(
        out,
        static_cast<const std::byte*>(tensor_.data()) + static_cast<std::size_t>(first) * bytes,
        static_cast<std::size_t>(count) * bytes);
    bytes_read_ += count * static_cast<Index>(bytes);
  }
  void read_at(std::span<const Index> numbers, std::span<double> out) override {
    ascending = ascending && std::is_sorted(numbers.begin(), numbers.end());
    with_scalar_type(tensor_.type(), [&]<class T>() {
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        require_whole(numbers[k] + 1);
        out[k] = static_cast<double>(tensor_.typed<T>()[numbers[k]]);
      }
    });
    bytes_read_ += static_cast<Index>(numbers.size() * size_of(tensor_.type()));
  }
  std::int64_t bytes_read() const override { return bytes_read_; }

  Index largest_read = 0;
  bool ascending = true;  ///< every list of numbers was

 private:
  void require_whole(Index end) const {
    if (broken_from_ >= 0 && end > broken_from_) throw InputError("the file is broken");
  }

  const DenseTensor& tensor_;
  Index broken_from_;
  std::int64_t bytes_read_ = 0;
};

}  // namespace sunder::test
