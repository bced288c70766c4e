#include "algorithms/stream/state_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <span>

#include "io/output_file.hpp"
#include "sunder/core/error.hpp"

namespace sunder::streaming {

namespace fs = std::filesystem;

namespace {

constexpr std::array<char, 8> signature = {'s', 'u', 'n', 'd', 'e', 'r', 'S', 'T'};
/// Raised with every change of what is written or of what it means.
constexpr std::uint32_t version = 1;

struct Header {
  std::array<char, 8> signature{};
  std::uint32_t version = 0;
  std::uint32_t byte_order = 0;
  std::uint64_t length = 0;
  std::uint64_t checksum = 0;
};
constexpr std::uint32_t native_order = 0x01020304;

/// FNV-1a: every byte changes it, which is all that is asked for.
std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const std::byte byte : bytes) {
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 1099511628211ULL;
  }
  return hash;
}

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw InputError(fmt::format("cannot use the stream state {}: {}", path.string(), why));
}

}  // namespace

void StateReader::require(bool valid) const {
  if (!valid) refuse(name_, "its contents do not fit together; begin the stream anew");
}

void write_state(const fs::path& path, const std::vector<std::byte>& bytes) {
  const Header header{signature, version, native_order, bytes.size(), checksum_of(bytes)};
  OutputFile file(path);
  file.write_values(std::span(&header, 1));
  file.write(bytes);
  file.commit();
}

std::vector<std::byte> read_state(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, "it cannot be opened; check the path");
  Header header;
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || header.signature != signature) {
    refuse(path, "it is no state of a stream; give a file that a stream has saved");
  }
  if (header.version != version) {
    refuse(path, fmt::format("it has version {}, but this program reads version {}; begin the "
                             "stream anew",
                             header.version, version));
  }
  if (header.byte_order != native_order) {
    refuse(path, "it was written on a machine with another order of bytes; begin the stream anew");
  }
  std::error_code ignored;
  const auto present = static_cast<std::uint64_t>(fs::file_size(path, ignored)) - sizeof header;
  if (present != header.length) {
    refuse(path, fmt::format("it promises {} bytes, but {} came; it is cut off, save it again",
                             header.length, present));
  }
  std::vector<std::byte> bytes(header.length);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file || checksum_of(bytes) != header.checksum) {
    refuse(path, "its checksum does not match, so that it is damaged; begin the stream anew");
  }
  return bytes;
}

}  // namespace sunder::streaming
