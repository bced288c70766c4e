#pragma once
/// A tensor together with the means to pass over it. Algorithms know only this, so that one and the
/// same algorithm runs wherever the data is: in memory, in a file, on several machines.

#include <memory>

#include "engine/communicator.hpp"
#include "engine/gather.hpp"
#include "engine/pass.hpp"
#include "engine/source.hpp"

namespace sunder {

class Engine {
 public:
  /// `still_wanted` is asked during every pass; it answers from the calling thread.
  Engine(const TensorView& tensor, int threads, std::function<Continue()> still_wanted = {});
  /// `source` gives this process's slabs; `communicator` joins the processes.
  Engine(std::shared_ptr<const Source> source, std::shared_ptr<const Communicator> communicator,
         int threads, std::function<Continue()> still_wanted = {});

  const Shape& shape() const { return source_->shape(); }
  ScalarType type() const { return source_->type(); }
  int threads() const { return threads_; }
  /// Complete reads of the data so far: the unit of cost.
  int passes() const { return passes_; }
  /// Entries read so far by gathering; passes not counted.
  Index gathered_entries() const { return gathered_; }
  /// Passes, with gathered entries as fractions of one.
  double equivalent_passes() const;

  /// Results are those of all processes, except S, which stays with the process that found it.
  PassResult pass(const PassRequest& request);

  /// See gather.hpp. Only for a tensor in memory; throws InputError otherwise.
  DenseTensor gather(const std::vector<std::vector<Index>>& indices,
                     ScalarType type = ScalarType::f64);
  Matrix gather_fibres(int mode, std::span<const ModeIndices> samples,
                       std::span<const Index> rows = {});

 private:
  TensorView in_memory() const;

  std::shared_ptr<const Source> source_;
  std::shared_ptr<const Communicator> communicator_;
  int threads_;
  std::function<Continue()> still_wanted_;
  int passes_ = 0;
  Index gathered_ = 0;
};

}  // namespace sunder
