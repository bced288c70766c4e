#pragma once
/// The engine: a tensor together with the operations that read it. Algorithms access their data
/// only through the engine, so the same algorithm runs on a tensor in memory, in a file, or shared
/// among several machines.

#include <memory>

#include "engine/gather/gather.hpp"
#include "engine/pass/pass.hpp"
#include "engine/source/source.hpp"
#include "sunder/core/communicator.hpp"

namespace sunder {

class Engine {
 public:
  /// `still_wanted` is called during every pass, from the thread that called the engine.
  Engine(const TensorView& tensor, int threads, std::function<Continue()> still_wanted = {});
  /// Every process has a source of the whole tensor and reads its own share.
  Engine(std::shared_ptr<Source> source, std::shared_ptr<const Communicator> communicator,
         int threads, std::function<Continue()> still_wanted = {});

  const Shape& shape() const { return source_->shape(); }
  ScalarType type() const { return source_->type(); }
  int threads() const { return threads_; }
  /// Returns true if a pass finds the entries of S in increasing order of position.
  bool finds_in_order() const { return sunder::finds_in_order(source_->layout()); }
  /// Returns the number of complete reads of the data so far, which is the unit of cost.
  int passes() const { return passes_; }
  /// Returns the number of entries read by gathering so far; passes do not count.
  Index gathered_entries() const { return gathered_; }
  /// Returns the bytes that all processes have read from files, 0 for a tensor in memory. A
  /// collective operation: every process must call it.
  std::int64_t bytes_read() const;
  const Communicator& communicator() const { return *communicator_; }
  /// Returns the passes so far, where gathered entries count as fractions of a pass.
  double equivalent_passes() const;

  /// Runs a pass. The results are the same in all processes, except S, which stays with the process
  /// that found it.
  PassResult pass(const PassRequest& request);

  /// See gather.hpp.
  DenseTensor gather(const std::vector<std::vector<Index>>& indices,
                     ScalarType type = ScalarType::f64);
  Matrix gather_fibres(int mode, std::span<const ModeIndices> samples,
                       std::span<const Index> rows = {});
  std::vector<double> gather_entries(std::span<const ModeIndices> samples);

 private:
  std::shared_ptr<Source> source_;
  std::shared_ptr<const Communicator> communicator_;
  int threads_;
  std::function<Continue()> still_wanted_;
  int passes_ = 0;
  Index gathered_ = 0;
};

}  // namespace sunder
