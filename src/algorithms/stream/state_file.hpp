#pragma once
/// The state of a stream as bytes, and the file that holds them: a header with version, length and
/// checksum, then the bytes in the machine's own order.

#include <cstddef>
#include <cstring>
#include <deque>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/stream/held_slice.hpp"

namespace sunder::streaming {

/// Calls archive(member) for everything that a value consists of: one list for both directions.
template <class Archive>
void describe(Archive& archive, HeldSlice& slice) {
  archive(slice.number);
  archive(slice.values);
  archive(slice.observed);
  archive(slice.kept);
  archive(slice.w);
  archive(slice.sigma);
  archive(slice.size);
}

class StateWriter {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(const Number& value) { put(&value, sizeof value); }
  template <class Derived>
  void operator()(const Eigen::PlainObjectBase<Derived>& array) {
    (*this)(array.rows());
    (*this)(array.cols());
    put(array.data(), static_cast<std::size_t>(array.size()) * sizeof(double));
  }
  template <class Value>
  void operator()(std::vector<Value>& list) {
    sequence(list);
  }
  template <class Value>
  void operator()(std::deque<Value>& list) {
    sequence(list);
  }
  void operator()(HeldSlice& slice) { describe(*this, slice); }

  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  template <class List>
  void sequence(List& list) {
    (*this)(static_cast<Index>(list.size()));
    for (auto& value : list) (*this)(value);
  }
  void put(const void* from, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  std::vector<std::byte> bytes_;
};

class StateReader {
 public:
  /// `name` is that of the file, for messages.
  StateReader(std::vector<std::byte> bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {}

  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(Number& value) { get(&value, sizeof value); }
  template <class Derived>
  void operator()(Eigen::PlainObjectBase<Derived>& array) {
    Index rows = 0;
    Index cols = 0;
    (*this)(rows);
    (*this)(cols);
    require(rows >= 0 && cols >= 0 && (cols == 0 || rows <= left(sizeof(double)) / cols));
    array.resize(rows, cols);
    get(array.data(), static_cast<std::size_t>(array.size()) * sizeof(double));
  }
  template <class Value>
  void operator()(std::vector<Value>& list) {
    sequence(list);
  }
  template <class Value>
  void operator()(std::deque<Value>& list) {
    sequence(list);
  }
  void operator()(HeldSlice& slice) { describe(*this, slice); }

  /// Throws InputError unless everything was read.
  void finish() const { require(at_ == bytes_.size()); }

 private:
  template <class List>
  void sequence(List& list) {
    Index count = 0;
    (*this)(count);
    require(count >= 0 && count <= left(1));
    list.resize(static_cast<std::size_t>(count));
    for (auto& value : list) (*this)(value);
  }
  Index left(std::size_t unit) const { return static_cast<Index>((bytes_.size() - at_) / unit); }
  void get(void* to, std::size_t size) {
    require(size <= bytes_.size() - at_);
    if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }
  void require(bool valid) const;

  std::vector<std::byte> bytes_;
  std::string name_;
  std::size_t at_ = 0;
};

/// Written beside `path` and renamed.
void write_state(const std::filesystem::path& path, const std::vector<std::byte>& bytes);
/// Throws InputError for a file that is no state, of another version, cut off or damaged.
std::vector<std::byte> read_state(const std::filesystem::path& path);

}  // namespace sunder::streaming
