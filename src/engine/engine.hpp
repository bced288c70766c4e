#pragma once
/// A tensor together with the means to pass over it. Algorithms know only this, so that one and the
/// same algorithm runs wherever the data is: in memory, in a file, on several machines.

#include <memory>

#include "engine/gather/gather.hpp"
#include "engine/pass/pass.hpp"
#include "engine/source/source.hpp"
#include "sunder/core/communicator.hpp"

namespace sunder {

class Engine {
 public:
  /// `still_wanted` is asked during every pass; it answers from the calling thread.
  Engine(const TensorView& tensor, int threads, std::function<Continue()> still_wanted = {});
  /// Every process has a source of the whole tensor, and reads its share of it.
  Engine(std::shared_ptr<Source> source, std::shared_ptr<const Communicator> communicator,
         int threads, std::function<Continue()> still_wanted = {});

  const Shape& shape() const { return source_->shape(); }
  ScalarType type() const { return source_->type(); }
  int threads() const { return threads_; }
  /// Whether a pass finds S in order.
  bool finds_in_order() const { return sunder::finds_in_order(source_->layout()); }
  /// Complete reads of the data so far: the unit of cost.
  int passes() const { return passes_; }
  /// Entries read so far by gathering; passes not counted.
  Index gathered_entries() const { return gathered_; }
  /// Bytes that all processes took from files, 0 for a tensor in memory. They ask together.
  std::int64_t bytes_read() const;
  const Communicator& communicator() const { return *communicator_; }
  /// Passes, with gathered entries as fractions of one.
  double equivalent_passes() const;

  /// Results are those of all processes, except S, which stays with the process that found it.
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
