#pragma once
/// The part of S that one of several processes finds, stored in a file until the first process
/// fetches it.

#include <filesystem>
#include <memory>

#include "sunder/core/sparse_receiver.hpp"

namespace sunder {

class OutputFile;

/// Writes positions and values as they arrive, 16 bytes per entry.
class SparsePart final : public SparseReceiver {
 public:
  explicit SparsePart(std::filesystem::path path);
  ~SparsePart() override;
  SparsePart(const SparsePart&) = delete;
  SparsePart& operator=(const SparsePart&) = delete;

  void begin(const Shape& shape, bool in_order) override;
  void add(std::span<const Index> positions, std::span<const double> values) override;
  /// Completes the file, which does not exist before. Throws WriteError.
  void finish();

 private:
  std::filesystem::path path_;
  std::unique_ptr<OutputFile> file_;
};

/// Passes a part's entries on in batches, and removes its file.
void fetch_part(const std::filesystem::path& path, SparseReceiver& to);

}  // namespace sunder
