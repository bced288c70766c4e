#include "io/files/signatures.hpp"

#include <fstream>
#include <string>
#include <string_view>

#include "io/files/mapped_file.hpp"

namespace sunder {

namespace {

bool begins_with(const std::filesystem::path& path, std::string_view bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string head(bytes.size(), '\0');
  return file.read(head.data(), static_cast<std::streamsize>(head.size())) && head == bytes;
}

}  // namespace

bool is_npy(const std::filesystem::path& path) { return begins_with(path, "\x93NUMPY"); }

bool is_mat(const std::filesystem::path& path) {
  return begins_with(path, "MATLAB 5.0 MAT-file") || begins_with(path, "MATLAB 7.3 MAT-file");
}

bool is_hdf5(const std::filesystem::path& path) {
  return find_superblock(MappedFile(path).bytes()).has_value();
}

std::optional<std::size_t> find_superblock(std::span<const std::byte> file) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  for (std::size_t at = 0; at < text.size(); at = at == 0 ? 512 : 2 * at) {
    if (text.substr(at).starts_with(signature)) return at;
  }
  return std::nullopt;
}

}  // namespace sunder
