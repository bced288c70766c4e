#pragma once
/// An archive: the state of a computation as bytes, in the byte order of the machine.
///
/// A type can be archived if there is a function `describe(archive, value)` that calls
/// archive(member) for each of its members. The same list serves both writing and reading.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder {

template <class Value>
concept PlainNumber = std::is_arithmetic_v<Value> || std::is_enum_v<Value>;

class StateWriter {
 public:
  template <PlainNumber Value>
  void operator()(const Value& value) {
    put(&value, sizeof value);
  }
  template <class Derived>
  void operator()(const Eigen::PlainObjectBase<Derived>& array) {
    (*this)(static_cast<Index>(array.rows()));
    (*this)(static_cast<Index>(array.cols()));
    put(array.data(), static_cast<std::size_t>(array.size()) * sizeof(typename Derived::Scalar));
  }
  template <class Value>
  void operator()(std::vector<Value>& list) {
    if constexpr (PlainNumber<Value>) {
      (*this)(std::ssize(list));
      put(list.data(), list.size() * sizeof(Value));
    } else {
      sequence(list);
    }
  }
  template <class Value>
  void operator()(std::deque<Value>& list) {
    sequence(list);
  }
  void operator()(std::string& text) {
    (*this)(std::ssize(text));
    put(text.data(), text.size());
  }
  template <class Value>
  requires requires(StateWriter& archive, Value& value) { describe(archive, value); }
  void operator()(Value& value) { describe(*this, value); }

  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  template <class List>
  void sequence(List& list) {
    (*this)(std::ssize(list));
    for (auto& value : list) (*this)(value);
  }
  void put(const void* from, std::size_t size);

  std::vector<std::byte> bytes_;
};

class StateReader {
 public:
  /// `name` is the file's name, for messages.
  StateReader(std::vector<std::byte> bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {}

  template <PlainNumber Value>
  void operator()(Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
      std::uint8_t byte = 0;  // reading it as a byte rejects values other than 0 and 1
      (*this)(byte);
      require(byte <= 1);
      value = byte == 1;
    } else {
      get(&value, sizeof value);
    }
  }
  template <class Derived>
  void operator()(Eigen::PlainObjectBase<Derived>& array) {
    Index rows = 0;
    Index cols = 0;
    (*this)(rows);
    (*this)(cols);
    constexpr std::size_t unit = sizeof(typename Derived::Scalar);
    require(rows >= 0 && cols >= 0 && (cols == 0 || rows <= left(unit) / cols));
    // Eigen does not check that a vector has one column, and would allocate nothing for zero
    // columns.
    require(Derived::ColsAtCompileTime == Eigen::Dynamic || cols == Derived::ColsAtCompileTime);
    require(Derived::RowsAtCompileTime == Eigen::Dynamic || rows == Derived::RowsAtCompileTime);
    array.resize(rows, cols);
    get(array.data(), static_cast<std::size_t>(array.size()) * unit);
  }
  template <class Value>
  void operator()(std::vector<Value>& list) {
    if constexpr (PlainNumber<Value>) {
      list.resize(length(sizeof(Value)));
      get(list.data(), list.size() * sizeof(Value));
    } else {
      sequence(list);
    }
  }
  template <class Value>
  void operator()(std::deque<Value>& list) {
    sequence(list);
  }
  void operator()(std::string& text) {
    text.resize(length(1));
    get(text.data(), text.size());
  }
  template <class Value>
  requires requires(StateReader& archive, Value& value) { describe(archive, value); }
  void operator()(Value& value) { describe(*this, value); }

  /// Returns the number of unread bytes, an upper bound on the size of what they can describe.
  Index bytes_left() const { return left(1); }
  /// Throws InputError unless every byte was read.
  void finish() const { require(at_ == bytes_.size()); }
  /// Throws InputError unless `valid`: the contents contradict each other.
  void require(bool valid) const;

 private:
  template <class List>
  void sequence(List& list) {
    list.clear();  // the list grows with the values read, so a false length allocates nothing
    for (std::size_t count = length(1); count > 0; --count) (*this)(list.emplace_back());
  }
  /// Reads the length of a list whose values take at least `unit` bytes each.
  std::size_t length(std::size_t unit) {
    Index count = 0;
    (*this)(count);
    require(count >= 0 && count <= left(unit));
    return static_cast<std::size_t>(count);
  }
  Index left(std::size_t unit) const { return static_cast<Index>((bytes_.size() - at_) / unit); }
  void get(void* to, std::size_t size) {
    require(size <= bytes_.size() - at_);
    if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }

  std::vector<std::byte> bytes_;
  std::string name_;
  std::size_t at_ = 0;
};

}  // namespace sunder
