#pragma once
/// The part of S that one of several processes finds, in a file until the first one fetches it.

#include <filesystem>
#include <memory>

#include "sunder/core/sparse_receiver.hpp"

namespace sunder {

class OutputFile;

/// Positions and values as they come, 16 bytes for each entry.
class SparsePart final : public SparseReceiver {
 public:
  explicit SparsePart(std::filesystem::path path);
  ~SparsePart() override;
  SparsePart(const SparsePart&) = delete;
  SparsePart& operator=(const SparsePart&) = delete;

  void begin(const Shape& shape, bool in_order) override;
  void add(std::span<const Index> positions, std::span<const double> values) override;
  /// Until then there is no file. Throws WriteError.
  void finish();

 private:
  std::filesystem::path path_;
  std::unique_ptr<OutputFile> file_;
};

/// Hands a part's entries on, in batches, and removes its file.
void fetch_part(const std::filesystem::path& path, SparseReceiver& to);

}  // namespace sunder
