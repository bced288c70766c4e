// A file consists of elements: a tag with type and length, followed by the data; data of up to four
// bytes lies inside the tag. A matrix is an element of elements:
//   flags (with the class), extents, name, then, by its class,
//     cells, functions   a matrix for each entry
//     structures         the length of a field's name, the names, a matrix for each entry and field
//     objects            the name of the class, then as structures
//     anything else      numbers, which matio reads later
// A packed element is a deflated matrix.
#include "io/mat/mat5_check.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <vector>

#include "io/files/mapped_file.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t header_bytes = 128;
constexpr std::size_t tag_bytes = 8;
constexpr std::size_t matrix_type = 14;
constexpr std::size_t packed_type = 15;

constexpr std::size_t most_modes = 32;
constexpr std::size_t longest_name = 4096;
constexpr int deepest = 64;                  ///< nesting depth of matrices
constexpr std::size_t largest_ratio = 1032;  ///< largest compression ratio of deflate

/// Reads four bytes in the byte order of the file.
std::size_t number_at(Bytes bytes, std::size_t at, bool big_endian) {
  std::size_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    value = value << 8 | std::to_integer<std::size_t>(bytes[at + (big_endian ? k : 3 - k)]);
  }
  return value;
}

/// Returns the product, or the largest number if it overflows.
std::size_t bounded_product(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::size_t>::max() : product;
}

/// A stream of bytes, decompressed where necessary.
class ByteStream {
 public:
  ByteStream(Bytes bytes, bool packed) : bytes_(bytes), packed_(packed) {
    if (packed && inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
  }
  ~ByteStream() {
    if (packed_) inflateEnd(&stream_);
  }
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// Returns false if too few bytes are left.
  bool read(std::span<std::byte> out) {
    position_ += out.size();
    if (packed_) return unpack(out);
    if (out.size() > bytes_.size()) return false;
    std::copy_n(bytes_.begin(), out.size(), out.begin());
    bytes_ = bytes_.subspan(out.size());
    return true;
  }

  bool skip(std::size_t count) {
    if (!packed_) {
      const std::size_t there = std::min(count, bytes_.size());
      bytes_ = bytes_.subspan(there);
      position_ += there;
      return there == count;
    }
    std::array<std::byte, 4096> ignored{};
    for (std::size_t step = 0; count > 0; count -= step) {
      step = std::min(count, ignored.size());
      if (!read(std::span(ignored).first(step))) return false;
    }
    return true;
  }

  /// Returns the number of bytes that were read or skipped.
  std::size_t position() const { return position_; }

 private:
  bool unpack(std::span<std::byte> out) {
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out > 0) {
      if (stream_.avail_in == 0) refill();
      if (inflate(&stream_, Z_SYNC_FLUSH) != Z_OK) break;
    }
    return stream_.avail_out == 0;
  }
  void refill() {
    const std::size_t count = std::min(bytes_.size(), piece_.size());
    std::copy_n(bytes_.begin(), count, piece_.begin());
    bytes_ = bytes_.subspan(count);
    stream_.next_in = reinterpret_cast<Bytef*>(piece_.data());
    stream_.avail_in = static_cast<uInt>(count);
  }

  Bytes bytes_;
  bool packed_;
  std::size_t position_ = 0;
  z_stream stream_{};
  std::array<std::byte, 4096> piece_{};
};

/// Follows matio's steps through a matrix. It stops at the end of the bytes, as matio does.
class MatrixCheck {
 public:
  MatrixCheck(ByteStream& stream, bool big_endian) : stream_(stream), big_endian_(big_endian) {}

  /// Returns false if a variable claims more than `limit` bytes can hold.
  bool variable(std::size_t limit) {
    Tag tag;
    if (!next(tag) || tag.type != matrix_type) return true;  // matio reads no further
    return matrix(stream_.position() + std::min(tag.length, limit), 0);
  }

 private:
  enum Class : std::size_t { cell = 1, structure = 2, object = 3, function = 16, opaque = 17 };

  struct Tag {
    std::size_t type = 0;
    std::size_t length = 0;     ///< length of the data
    std::size_t following = 0;  ///< bytes after the tag, including padding
    std::array<std::byte, 4> inside{};
  };

  /// Checks a matrix that ends there, starting after its tag.
  bool matrix(std::size_t end, int depth) {
    if (left(end) == 0) return true;
    std::array<std::byte, 2 * tag_bytes> flags{};
    if (!take(flags)) return true;
    const std::size_t kind = number_at(flags, tag_bytes, big_endian_) & 0xff;
    if (kind == opaque) return true;
    std::size_t count = 0;
    if (!extents(count) || !name()) return false;
    if (kind != cell && kind != structure && kind != object && kind != function) return true;
    if (kind == object && !name()) return false;
    std::size_t fields = 1;
    if ((kind == structure || kind == object) && !field_names(fields)) return false;
    count = bounded_product(count, fields);
    if (count > left(end) / tag_bytes) return false;
    for (std::size_t k = 0; k < count && !ended_; ++k) {
      if (!inner_matrix(end, depth + 1)) return false;
    }
    return true;
  }

  bool inner_matrix(std::size_t end, int depth) {
    Tag tag;
    if (!next(tag)) return true;
    if (tag.type != matrix_type || tag.length > left(end) || depth > deepest) return false;
    const std::size_t own_end = stream_.position() + tag.length;
    if (!matrix(own_end, depth)) return false;
    skip(left(own_end));
    return true;
  }

  bool extents(std::size_t& entries) {
    Tag tag;
    if (!next(tag)) return true;
    if (tag.length > 4 * most_modes || tag.length % 4 != 0) return false;
    std::array<std::byte, 4 * most_modes> numbers{};
    std::copy(tag.inside.begin(), tag.inside.end(), numbers.begin());
    if (!take(std::span(numbers).first(tag.following))) return true;
    entries = tag.length > 0 ? 1 : 0;
    for (std::size_t at = 0; at < tag.length; at += 4) {
      entries = bounded_product(entries, number_at(numbers, at, big_endian_));
    }
    return true;
  }

  bool name() {
    Tag tag;
    if (!next(tag)) return true;
    if (tag.length > longest_name) return false;
    skip(tag.following);
    return true;
  }

  bool field_names(std::size_t& count) {
    Tag size;
    Tag names;
    if (!next(size)) return true;
    const std::size_t length = number_at(size.inside, 0, big_endian_);
    if (size.following > 0 || length == 0 || length > longest_name) return false;
    if (!next(names)) return true;
    count = names.length / length;
    skip(names.following);
    return true;
  }

  /// Returns false at the end of the bytes. Data inside a tag cannot be longer than the tag.
  bool next(Tag& tag) {
    std::array<std::byte, tag_bytes> bytes{};
    if (!take(bytes)) return false;
    tag.type = number_at(bytes, 0, big_endian_);
    std::copy_n(bytes.begin() + 4, 4, tag.inside.begin());
    const std::size_t within = tag.type >> 16;
    tag.length = within == 0 ? number_at(bytes, 4, big_endian_) : within <= 4 ? within : impossible;
    tag.following = within == 0 ? (tag.length + 7) / 8 * 8 : 0;
    return true;
  }
  bool take(std::span<std::byte> out) {
    ended_ = ended_ || !stream_.read(out);
    return !ended_;
  }
  void skip(std::size_t count) { ended_ = ended_ || !stream_.skip(count); }
  std::size_t left(std::size_t end) const { return end - std::min(end, stream_.position()); }

  static constexpr std::size_t impossible = std::numeric_limits<std::uint32_t>::max();

  ByteStream& stream_;
  bool big_endian_;
  bool ended_ = false;
};

}  // namespace

void require_sound_mat5(const std::filesystem::path& path) {
  const MappedFile map(path);
  const Bytes file = map.bytes();
  std::size_t promised = header_bytes;
  if (file.size() >= header_bytes) {
    const bool big_endian = std::to_integer<char>(file[126]) == 'M';
    while (promised < file.size()) {
      const Bytes element = file.subspan(promised);
      const bool has_tag = element.size() >= tag_bytes;
      promised += tag_bytes + (has_tag ? number_at(element, 4, big_endian) : 0);
      const bool packed = has_tag && number_at(element, 0, big_endian) == packed_type;
      ByteStream stream(packed ? element.subspan(tag_bytes) : element, packed);
      const std::size_t limit =
          packed ? bounded_product(largest_ratio, element.size()) : element.size();
      if (MatrixCheck(stream, big_endian).variable(limit)) continue;
      throw InputError(fmt::format(
          "cannot read {}: a variable in it promises more than the file can hold (its name, modes, "
          "fields or cells); the file is damaged, copy or save it again",
          path.string()));
    }
  }
  if (promised == file.size()) return;
  throw InputError(fmt::format(
      "cannot read {}: its contents promise at least {} bytes, but {} came; the file is cut off or "
      "damaged, copy or save it again",
      path.string(), promised, file.size()));
}

}  // namespace sunder
