#pragma once
/// The file that holds the state of a computation: a header with kind, version, length and
/// checksum, followed by an archive (core/archive.hpp).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/files/archive.hpp"

namespace sunder {

/// Describes the contents of a state file.
struct StateKind {
  const char* signature;  ///< eight characters at the beginning of the file
  std::uint32_t version;  ///< raised with every change of the contents or of their meaning
  const char* what;       ///< for messages: "the state of a stream"
};

/// Writes a temporary file beside `path` and renames it. Throws OutputError or WriteError.
void write_state(const std::filesystem::path& path, const StateKind& kind,
                 const std::vector<std::byte>& bytes);

/// Reads a state file. Throws InputError if it is of another kind or version, cut off or damaged.
std::vector<std::byte> read_state(const std::filesystem::path& path, const StateKind& kind);

/// Computes the FNV-1a hash.
std::uint64_t checksum(const std::byte* bytes, std::size_t size,
                       std::uint64_t begin = 14695981039346656037ULL);

}  // namespace sunder
