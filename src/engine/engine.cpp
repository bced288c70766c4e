#include "engine/engine.hpp"

#include "engine/reduce.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

Engine::Engine(const TensorView& tensor, int threads, std::function<Continue()> still_wanted)
    : Engine(std::make_shared<MemorySource>(tensor), std::make_shared<SerialCommunicator>(),
             threads, std::move(still_wanted)) {}

Engine::Engine(std::shared_ptr<const Source> source,
               std::shared_ptr<const Communicator> communicator, int threads,
               std::function<Continue()> still_wanted)
    : source_(std::move(source)),
      communicator_(std::move(communicator)),
      threads_(threads),
      still_wanted_(std::move(still_wanted)) {}

double Engine::equivalent_passes() const {
  return passes_ + static_cast<double>(gathered_) / static_cast<double>(shape().entries());
}

PassResult Engine::pass(const PassRequest& request) {
  ++passes_;
  PassResult result = sunder::pass(*source_, request, threads_, still_wanted_);
  reduce(*communicator_, result);
  return result;
}

DenseTensor Engine::gather(const std::vector<std::vector<Index>>& indices, ScalarType type) {
  DenseTensor result = sunder::gather(in_memory(), indices, type, threads_);
  gathered_ += result.entries();
  return result;
}

Matrix Engine::gather_fibres(int mode, std::span<const ModeIndices> samples,
                             std::span<const Index> rows) {
  Matrix result = sunder::gather_fibres(in_memory(), mode, samples, rows, threads_);
  gathered_ += result.size();
  return result;
}

TensorView Engine::in_memory() const {
  const Slab slab = source_->slab(0);
  if (source_->slabs() != 1 || !(slab.view.shape() == source_->shape())) {
    throw InputError("parts can be gathered only from a tensor that is in memory");
  }
  return slab.view;
}

}  // namespace sunder
