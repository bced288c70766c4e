#pragma once
/// The result of a pass, accumulated as its chunks are finished.

#include <vector>

#include "engine/pass/chunk_worker.hpp"
#include "sunder/core/communicator.hpp"

namespace sunder {

/// Adds sums group by group (see Tiling) and S chunk by chunk.
class Collected {
 public:
  Collected(const Tiling& tiling, const PassRequest& request);

  void add(const Partial& group);
  void add_found(const FoundList& found);
  /// Returns the result; throws InputError if a pass met an infinite entry.
  PassResult finish();

 private:
  void refuse_infinite() const;

  const Tiling& tiling_;
  Shape shape_;
  const PassRequest& request_;
  PassResult result_;
  kernels::TileSums sums_;
  std::vector<Index> positions_;
  std::vector<double> values_;
  Index infinite_at_ = nowhere;
};

/// The groups begin .. end of a pass, which one process works on.
struct GroupRange {
  int begin = 0;
  int end = 0;
};
GroupRange groups_of(const Communicator& communicator, int rank, int groups);

/// Sends a group of sums from the process `root` to all others, where `group` is empty before.
void share(const Communicator& communicator, int root, Partial& group);

}  // namespace sunder
