#include "io/mat_catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "io/mapped_file.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

struct MatClass {
  matio_classes code;
  const char* name;
  std::optional<ScalarType> type;
};

const std::vector<MatClass>& classes() {
  static const std::vector<MatClass> table = {{MAT_C_DOUBLE, "double", ScalarType::f64},
                                              {MAT_C_SINGLE, "single", ScalarType::f32},
                                              {MAT_C_UINT8, "uint8", ScalarType::u8},
                                              {MAT_C_UINT16, "uint16", ScalarType::u16},
                                              {MAT_C_INT16, "int16", ScalarType::i16},
                                              {MAT_C_INT32, "int32", ScalarType::i32},
                                              {MAT_C_INT8, "int8", {}},
                                              {MAT_C_UINT32, "uint32", {}},
                                              {MAT_C_INT64, "int64", {}},
                                              {MAT_C_UINT64, "uint64", {}},
                                              {MAT_C_EMPTY, "empty", {}},
                                              {MAT_C_CELL, "cell", {}},
                                              {MAT_C_STRUCT, "struct", {}},
                                              {MAT_C_OBJECT, "object", {}},
                                              {MAT_C_CHAR, "char", {}},
                                              {MAT_C_SPARSE, "sparse", {}},
                                              {MAT_C_FUNCTION, "function", {}},
                                              {MAT_C_OPAQUE, "opaque", {}}};
  return table;
}

constexpr std::size_t mat5_header_bytes = 128;
constexpr std::size_t mat5_tag_bytes = 8;

constexpr std::size_t mat5_matrix = 14;
constexpr std::size_t mat5_compressed = 15;

/// Four bytes in the byte order of the file.
std::size_t number_at(std::span<const std::byte> file, std::size_t at, bool big_endian) {
  std::size_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    value = value << 8 | std::to_integer<std::size_t>(file[at + (big_endian ? k : 3 - k)]);
  }
  return value;
}

/// What a packed element begins with.
std::vector<std::byte> unpacked_beginning(std::span<const std::byte> packed) {
  constexpr std::size_t enough = 4096;  // packed, for the few bytes that are wanted
  std::vector<std::byte> in(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(
                                                                 std::min(packed.size(), enough)));
  std::vector<std::byte> out(256);
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  inflate(&stream, Z_SYNC_FLUSH);
  out.resize(out.size() - stream.avail_out);
  inflateEnd(&stream);
  return out;
}

/// matio allocates as many extents, and as long a name, as a matrix says that it has.
bool has_modest_header(std::span<const std::byte> matrix, bool big_endian) {
  if (matrix.size() < mat5_tag_bytes || number_at(matrix, 0, big_endian) != mat5_matrix)
    return true;
  std::size_t at = mat5_tag_bytes + 16;  // behind the flags
  // Extents take four bytes each; the bytes of a name are free.
  for (const auto& [most, unit] : {std::pair<std::size_t, std::size_t>{128, 4}, {4096, 1}}) {
    if (at + mat5_tag_bytes > matrix.size()) return true;  // matio notices an end
    const std::size_t type = number_at(matrix, at, big_endian);
    const std::size_t within = type >> 16;  // up to four bytes are in the tag itself
    const std::size_t length = within > 0 ? 0 : number_at(matrix, at + 4, big_endian);
    if (within > 4 || length > most || length % unit != 0) return false;
    at += mat5_tag_bytes + (length + 7) / 8 * 8;
  }
  return true;
}

}  // namespace

MatEntry describe_variable(const matvar_t& variable) {
  MatEntry entry;
  entry.name = variable.name != nullptr ? variable.name : "";
  for (int mode = 0; mode < variable.rank && variable.dims != nullptr; ++mode) {
    constexpr auto largest = static_cast<std::size_t>(std::numeric_limits<Index>::max());
    entry.extents.push_back(static_cast<Index>(std::min(variable.dims[mode], largest)));
  }
  entry.class_name = "unknown";
  for (const MatClass& known : classes()) {
    if (known.code != variable.class_type) continue;
    entry.class_name = known.name;
    entry.type = known.type;
  }
  if (variable.isLogical != 0) entry.class_name = "logical";
  if (variable.isComplex != 0) {
    entry.class_name = "complex " + entry.class_name;
    entry.type.reset();
  }
  return entry;
}

std::vector<MatEntry> list_variables(mat_t& file) {
  std::vector<MatEntry> entries;
  Mat_Rewind(&file);
  while (matvar_t* const variable = Mat_VarReadNextInfo(&file)) {
    const std::unique_ptr<matvar_t, void (*)(matvar_t*)> owner(variable, Mat_VarFree);
    entries.push_back(describe_variable(*variable));
  }
  Mat_Rewind(&file);
  return entries;
}

std::string describe_entries(const std::vector<MatEntry>& entries) {
  std::vector<std::string> parts;
  for (const MatEntry& entry : entries) {
    parts.push_back(
        fmt::format("{}: {} {}", entry.name, fmt::join(entry.extents, " x "), entry.class_name));
  }
  return parts.empty() ? "it holds no variable"
                       : fmt::format("it holds {}", fmt::join(parts, ", "));
}

void require_complete_mat5(const std::filesystem::path& path) {
  const MappedFile map(path);
  const std::span<const std::byte> file = map.bytes();
  std::size_t promised = mat5_header_bytes;
  if (file.size() >= mat5_header_bytes) {
    const bool big_endian = std::to_integer<char>(file[126]) == 'M';
    while (promised < file.size()) {
      const std::span<const std::byte> element = file.subspan(promised);
      const bool has_tag = element.size() >= mat5_tag_bytes;
      promised += mat5_tag_bytes + (has_tag ? number_at(element, 4, big_endian) : 0);
      const bool packed = has_tag && number_at(element, 0, big_endian) == mat5_compressed;
      const std::vector<std::byte> head =
          packed ? unpacked_beginning(element.subspan(mat5_tag_bytes)) : std::vector<std::byte>();
      if (has_modest_header(packed ? head : element, big_endian)) continue;
      throw InputError(fmt::format(
          "cannot read {}: a variable in it has an impossible name or number of modes; the "
          "file is damaged, copy or save it again",
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
