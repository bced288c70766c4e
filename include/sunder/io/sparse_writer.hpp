#pragma once
/// S on its way between files and whoever finds or checks it, without all of it in memory.

#include <filesystem>
#include <memory>
#include <vector>

#include "sunder/core/sparse_receiver.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

class OutputFile;

/// Writes sparse_coords.npy and sparse_values.npy of a result folder (result_folder.hpp) as the
/// entries come, sorted by position, the same bytes as write_low_rank_plus_sparse() gives. Entries
/// that do not come in order are sorted in runs on disk, in the same folder, and merged.
class SparseWriter final : public SparseReceiver {
 public:
  /// `next`, if any, gets the sorted entries as well.
  explicit SparseWriter(std::filesystem::path folder, SparseReceiver* next = nullptr);
  ~SparseWriter() override;
  SparseWriter(const SparseWriter&) = delete;
  SparseWriter& operator=(const SparseWriter&) = delete;

  void begin(const Shape& shape, bool in_order) override;
  void add(std::span<const Index> positions, std::span<const double> values) override;
  /// Completes the files, of an empty S if nothing began. Throws WriteError.
  void finish(const Shape& shape);

  Index count() const { return count_; }
  double norm() const;

 private:
  struct Entry {
    Index position = 0;
    double value = 0;
  };
  struct Run {
    Index begin = 0;  ///< entries before it in the file of runs
    Index end = 0;
  };
  void write_sorted(std::span<const Index> positions, std::span<const double> values);
  void write_run();
  void merge();

  std::filesystem::path folder_;
  SparseReceiver* next_;
  Shape shape_;
  bool began_ = false;
  bool in_order_ = true;
  std::unique_ptr<OutputFile> coordinates_;
  std::unique_ptr<OutputFile> values_;
  std::unique_ptr<OutputFile> run_file_;
  std::vector<Entry> buffer_;
  std::vector<Run> runs_;
  std::vector<Index> coordinate_buffer_;
  Index count_ = 0;
  double square_sum_ = 0;
};

/// Compares the support of S, as it comes, with the one in a result or truth folder, which is read
/// alongside.
class SupportCounter final : public SparseReceiver {
 public:
  /// Throws InputError if the folder's coordinates cannot be read or are not of this order.
  SupportCounter(const std::filesystem::path& folder, const Shape& shape);
  ~SupportCounter() override;

  void begin(const Shape& shape, bool in_order) override;
  void add(std::span<const Index> positions, std::span<const double> values) override;
  /// False after entries that did not come in order: nothing is known then.
  bool known() const { return known_; }
  SupportScore score() const;

 private:
  class Truth;
  std::unique_ptr<Truth> truth_;
  bool known_ = true;
  Index found_ = 0;
  Index common_ = 0;
};

}  // namespace sunder
