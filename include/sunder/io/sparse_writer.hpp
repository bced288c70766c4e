#pragma once
/// Streaming of S to files, and comparison of a streamed S with the truth, without holding S in
/// memory.

#include <filesystem>
#include <memory>
#include <vector>

#include "sunder/core/sparse_receiver.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

class OutputFile;

/// Writes sparse_coords.npy and sparse_values.npy of a result folder (result_folder.hpp) as the
/// entries arrive, sorted by position, with the same bytes as write_low_rank_plus_sparse(). Entries
/// that arrive out of order are sorted in runs on disk, in the same folder, and merged.
class SparseWriter final : public SparseReceiver {
 public:
  /// `next`, if not null, also receives the sorted entries.
  explicit SparseWriter(std::filesystem::path folder, SparseReceiver* next = nullptr);
  ~SparseWriter() override;
  SparseWriter(const SparseWriter&) = delete;
  SparseWriter& operator=(const SparseWriter&) = delete;

  void begin(const Shape& shape, bool in_order) override;
  void add(std::span<const Index> positions, std::span<const double> values) override;
  /// Writes sparse_q.npy as well. The file is left out if it would not have a number for each
  /// entry, as when other processes find a part of S.
  void add_q(std::span<const double> q) override;
  /// Completes the files; S is empty if begin() was never called. Throws WriteError.
  void finish(const Shape& shape);

  Index count() const { return count_; }
  double norm() const;

 private:
  struct Entry {
    Index position = 0;
    double value = 0;
  };
  struct Run {
    Index begin = 0;  ///< number of entries before it in the file of runs
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
  std::unique_ptr<OutputFile> q_;
  Index q_count_ = 0;
  std::unique_ptr<OutputFile> run_file_;
  std::vector<Entry> buffer_;
  std::vector<Run> runs_;
  std::vector<Index> coordinate_buffer_;
  Index count_ = 0;
  double square_sum_ = 0;
};

/// Compares the support of S, as it arrives, with that in a result or truth folder, which is read
/// alongside.
class SupportCounter final : public SparseReceiver {
 public:
  /// Throws InputError if the folder's coordinates cannot be read or have another order.
  SupportCounter(const std::filesystem::path& folder, const Shape& shape);
  ~SupportCounter() override;

  void begin(const Shape& shape, bool in_order) override;
  void add(std::span<const Index> positions, std::span<const double> values) override;
  /// Returns false if entries arrived out of order; the score is then unknown.
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
