#pragma once
/// Corruption, noise and missing values of the entries of a planted tensor. Every random number is
/// a function of the entry's position, so threads may process entries in any order.

#include <span>
#include <vector>

#include "data/planted_damage.hpp"
#include "data/planted_noise.hpp"
#include "data/planted_signal.hpp"
#include "data/sparse_run.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {

/// Returns the position of the entry whose index is this one, sorted in ascending order. Entries of
/// a symmetric tensor that must be equal share it. The extents are equal.
Index sorted_position(const Shape& shape, ModeIndices index);

class EntryModel {
 public:
  EntryModel(const PlantedOptions& options, const PlantedSignal& signal);

  /// Turns L into T on the entries first .. first + entries.size() (positions in C order), and
  /// appends the added entries of S to `sparse`. Several threads may call it at once.
  void apply(Index first, std::span<double> entries, SparseRun& sparse) const;

  /// Finds the values at which the data are cut off: quantiles of a sample of the entries, so that
  /// a tensor larger than memory need not be made twice.
  void prepare_saturation(const CpModel& low_rank);

 private:
  /// For each index of a mode, the set of blocks that contain it, as words of 64 bits.
  using Membership = std::vector<std::uint64_t>;

  Membership draw_membership(int mode) const;
  bool in_a_block(const ModeIndices& index) const;

  /// Random numbers, one stream for each purpose.
  struct Streams;
  bool corrupted(const ModeIndices& index, Index key, Streams& random) const;
  double error_value(Index key, Streams& random) const;

  const PlantedOptions& options_;
  PlantedNoise noise_;
  PlantedDamage damage_;
  double value_scale_;     ///< the largest value of S: r / sqrt(n1 n2 ...) times the magnitude
  std::size_t words_ = 0;  ///< words per set of blocks
  std::vector<Membership>
      membership_;  ///< one per mode; empty unless the support consists of blocks
};

}  // namespace sunder
