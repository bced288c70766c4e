#include "io/npy/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;

/// Parses the Python dictionary of the header, and no other Python.
class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void parse(NpyHeader& header) {
    expect('{');
    while (!accept('}')) {
      entry(header);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ != text_.size()) fail("text after the closing brace");
    if (!has_dtype_) fail("the key 'descr' is missing");
    if (!has_order_) fail("the key 'fortran_order' is missing");
    if (!extents_) fail("the key 'shape' is missing");
    header.shape = shape();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(
        fmt::format("cannot read {}: its header is malformed ({}, at character {} of it); save the "
                    "array again with numpy.save",
                    name_, what, at_));
  }

  void skip_space() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr) ++at_;
  }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}'", c));
  }

  void entry(NpyHeader& header) {
    const std::string key = string();
    expect(':');
    if (key == "descr") {
      once(has_dtype_, key);
      header.dtype = peek() == '[' || peek() == '(' ? bracketed() : string();
    } else if (key == "fortran_order") {
      once(has_order_, key);
      header.order = boolean() ? StorageOrder::fortran : StorageOrder::c;
    } else if (key == "shape") {
      if (extents_) fail("the key 'shape' is given twice");
      extents_ = tuple();
    } else {
      fail("a key other than 'descr', 'fortran_order' and 'shape'");
    }
  }

  void once(bool& seen, const std::string& key) {
    if (seen) fail(fmt::format("the key '{}' is given twice", key));
    seen = true;
  }

  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("expected a quoted string");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a string without an end");
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  bool boolean() {
    skip_space();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    fail("expected True or False");
  }

  /// A structured dtype is kept as text, for the message that rejects it.
  std::string bracketed() {
    const std::size_t begin = at_;
    int depth = 0;
    do {
      const char c = peek();
      if (at_ == text_.size()) fail("a list without an end");
      if (c == '\'' || c == '"') {
        string();
        continue;
      }
      depth += (c == '[' || c == '(') ? 1 : (c == ']' || c == ')') ? -1 : 0;
      ++at_;
    } while (depth > 0);
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::vector<Index> tuple() {
    std::vector<Index> extents;
    expect('(');
    while (!accept(')')) {
      extents.push_back(integer());
      if (accept(',')) continue;
      if (extents.size() == 1) fail("expected ',': a shape is a tuple");
      expect(')');
      break;
    }
    return extents;
  }

  Index integer() {
    if (const char c = peek(); c < '0' || c > '9') fail("expected a length that is not negative");
    Index value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const Index digit = text_[at_] - '0';
      if (value > (std::numeric_limits<Index>::max() - digit) / 10) fail("a length above 2^63");
      value = 10 * value + digit;
    }
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers like this
    return value;
  }

  Shape shape() const {
    try {
      return Shape(*extents_);
    } catch (const InputError& error) {
      throw InputError(fmt::format("cannot read {}: {}", name_, error.what()));
    }
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  bool has_dtype_ = false;
  bool has_order_ = false;
  std::optional<std::vector<Index>> extents_;
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[k]);
  }
  return value;
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> file, const std::string& name) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(magic)) {
    throw InputError(fmt::format(
        "cannot read {}: it does not begin as a .npy file does; save it with numpy.save", name));
  }
  const std::size_t version_end = magic.size() + 2;
  NpyHeader header;
  if (text.size() > version_end) {
    header.major = static_cast<unsigned char>(text[magic.size()]);
    header.minor = static_cast<unsigned char>(text[magic.size() + 1]);
    if (header.major < 1 || header.major > 3 || header.minor != 0) {
      throw InputError(fmt::format(
          "cannot read {}: it has version {}.{} of the .npy format, and versions 1.0, 2.0 and 3.0 "
          "are read; save it again with numpy.save",
          name, header.major, header.minor));
    }
  }
  const std::size_t length_size = header.major == 1 ? 2 : 4;
  const std::size_t begin = version_end + length_size;
  const std::size_t length =
      text.size() < begin ? 0 : little_endian(text.substr(version_end, length_size));
  if (text.size() < begin || length > text.size() - begin) {
    throw InputError(fmt::format(
        "cannot read {}: the file ends within its header, which promises {} bytes where {} came; "
        "it is cut off, copy or save it again",
        name, begin + length, text.size()));
  }
  DictionaryParser(text.substr(begin, length), name).parse(header);
  header.data_offset = begin + length;
  return header;
}

std::string format_npy_header(std::string_view dtype, StorageOrder order, const Shape& shape,
                              std::size_t least_bytes) {
  std::string extents;
  for (const Index extent : shape) extents += fmt::format("{}, ", extent);
  if (shape.order() > 1) extents.resize(extents.size() - 2);
  if (shape.order() == 1) extents.pop_back();
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", dtype,
                  order == StorageOrder::fortran ? "True" : "False", extents);
  const std::size_t before = magic.size() + 4;
  const std::size_t needed = std::max(before + dictionary.size() + 1, least_bytes);
  const std::size_t total = (needed + alignment - 1) / alignment * alignment;
  dictionary.resize(total - before - 1, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += '\1';
  header += '\0';
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

}  // namespace sunder
