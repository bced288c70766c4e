#pragma once
/// A file that holds the state of a computation: a header with kind, version, length and checksum,
/// followed by the bytes of an archive (core/archive.hpp).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/archive.hpp"

namespace sunder {

/// What a state file holds.
struct StateKind {
  const char* signature;  ///< eight characters at the beginning of the file
  std::uint32_t version;  ///< raised with every change of what is written or of what it means
  const char* what;       ///< for messages: "the state of a stream"
};

/// Written beside `path` and renamed. Throws OutputError or WriteError.
void write_state(const std::filesystem::path& path, const StateKind& kind,
                 const std::vector<std::byte>& bytes);

/// Throws InputError for a file that is of another kind or version, cut off or damaged.
std::vector<std::byte> read_state(const std::filesystem::path& path, const StateKind& kind);

/// FNV-1a: every byte changes it.
std::uint64_t checksum(const std::byte* bytes, std::size_t size,
                       std::uint64_t begin = 14695981039346656037ULL);

}  // namespace sunder
