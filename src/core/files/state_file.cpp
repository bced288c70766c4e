#include "core/files/state_file.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <span>

#include "core/files/output_file.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace fs = std::filesystem;

namespace {

struct Header {
  std::array<char, 8> signature{};
  std::uint32_t version = 0;
  std::uint32_t byte_order = 0;
  std::uint64_t length = 0;
  std::uint64_t checksum = 0;
};
constexpr std::uint32_t native_order = 0x01020304;

std::array<char, 8> signature_of(const StateKind& kind) {
  std::array<char, 8> signature{};
  std::copy_n(kind.signature, std::min<std::size_t>(8, std::strlen(kind.signature)),
              signature.begin());
  return signature;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw InputError(fmt::format("cannot use {}: {}", path, why));
}

}  // namespace

void StateWriter::put(const void* from, std::size_t size) {
  const std::size_t at = bytes_.size();
  bytes_.resize(at + size);
  if (size > 0) std::memcpy(bytes_.data() + at, from, size);
}

void StateReader::require(bool valid) const {
  if (!valid) refuse(name_, "its contents do not fit together; begin anew without it");
}

void write_state(const fs::path& path, const StateKind& kind, const std::vector<std::byte>& bytes) {
  const Header header{signature_of(kind), kind.version, native_order, bytes.size(),
                      checksum(bytes.data(), bytes.size())};
  OutputFile file(path);
  file.write_values(std::span(&header, 1));
  file.write(bytes);
  file.commit();
}

std::vector<std::byte> read_state(const fs::path& path, const StateKind& kind) {
  const std::string name = path.string();
  std::ifstream file(path, std::ios::binary);
  if (!file)
    refuse(name, fmt::format("there is no {} that can be read; check the path", kind.what));
  Header header;
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || header.signature != signature_of(kind)) {
    refuse(name, fmt::format("it is not {}", kind.what));
  }
  if (header.byte_order != native_order) {
    refuse(name, "it was written on a machine with another order of bytes; begin anew without it");
  }
  if (header.version != kind.version) {
    refuse(name, fmt::format("it has version {}, but this program reads version {}; begin anew "
                             "without it",
                             header.version, kind.version));
  }
  std::error_code problem;
  const std::uintmax_t size = fs::file_size(path, problem);
  if (problem || size < sizeof header || size - sizeof header != header.length) {
    refuse(name, fmt::format("it promises {} bytes, but holds {}: it was cut off", header.length,
                             problem ? 0 : size - sizeof header));
  }
  std::vector<std::byte> bytes(header.length);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file || checksum(bytes.data(), bytes.size()) != header.checksum) {
    refuse(name, "its checksum does not match: it is damaged; begin anew without it");
  }
  return bytes;
}

std::uint64_t checksum(const std::byte* bytes, std::size_t size, std::uint64_t begin) {
  std::uint64_t hash = begin;
  for (std::size_t k = 0; k < size; ++k) {
    hash = (hash ^ std::to_integer<std::uint64_t>(bytes[k])) * 1099511628211ULL;
  }
  return hash;
}

}  // namespace sunder
