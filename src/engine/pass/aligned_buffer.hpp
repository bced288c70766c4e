#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "sunder/core/shape.hpp"

namespace sunder {

/// A buffer aligned to 64 bytes (a cache line, and the widest vector) and initialised to zero.
template <class T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(Index size) : size_(size) {
    const std::size_t bytes = (static_cast<std::size_t>(size) * sizeof(T) / 64 + 1) * 64;
    data_.reset(static_cast<T*>(std::aligned_alloc(64, bytes)));
    if (!data_) throw std::bad_alloc();
    fill_zero();
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  Index size() const { return size_; }
  void fill_zero() { std::fill_n(data_.get(), size_, T{0}); }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }  // NOLINT: pairs with aligned_alloc
  };
  std::unique_ptr<T, Free> data_;
  Index size_ = 0;
};

}  // namespace sunder
