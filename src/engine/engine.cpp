#include "engine/engine.hpp"

#include "core/require_option.hpp"

namespace sunder {

Engine::Engine(const TensorView& tensor, int threads, std::function<Continue()> still_wanted)
    : Engine(std::make_shared<MemorySource>(tensor), std::make_shared<SerialCommunicator>(),
             threads, std::move(still_wanted)) {}

Engine::Engine(std::shared_ptr<Source> source, std::shared_ptr<const Communicator> communicator,
               int threads, std::function<Continue()> still_wanted)
    : source_(std::move(source)),
      communicator_(std::move(communicator)),
      threads_(threads),
      still_wanted_(std::move(still_wanted)) {
  require_threads(threads);
}

double Engine::equivalent_passes() const {
  return passes_ + static_cast<double>(gathered_) / static_cast<double>(shape().entries());
}

std::int64_t Engine::bytes_read() const {
  std::int64_t sum = 0;
  for (int rank = 0; rank < communicator_->size(); ++rank) {
    auto bytes = static_cast<double>(source_->bytes_read());
    communicator_->broadcast(std::span(&bytes, 1), rank);
    sum += static_cast<std::int64_t>(bytes);
  }
  return sum;
}

PassResult Engine::pass(const PassRequest& request) {
  ++passes_;
  return sunder::pass(*source_, request, threads_, still_wanted_, *communicator_);
}

// A tensor in memory has faster loops of its own, which need no list of offsets.

DenseTensor Engine::gather(const std::vector<std::vector<Index>>& indices, ScalarType type) {
  DenseTensor result = source_->in_memory()
                           ? sunder::gather(source_->layout(), indices, type, threads_)
                           : sunder::gather(*source_, *communicator_, indices, type);
  gathered_ += result.entries();
  return result;
}

Matrix Engine::gather_fibres(int mode, std::span<const ModeIndices> samples,
                             std::span<const Index> rows) {
  Matrix result = source_->in_memory()
                      ? sunder::gather_fibres(source_->layout(), mode, samples, rows, threads_)
                      : sunder::gather_fibres(*source_, *communicator_, mode, samples, rows);
  gathered_ += result.size();
  return result;
}

std::vector<double> Engine::gather_entries(std::span<const ModeIndices> samples) {
  gathered_ += std::ssize(samples);
  // Every process holds the whole of a tensor that is in memory.
  return source_->in_memory() ? sunder::gather_entries(*source_, SerialCommunicator(), samples)
                              : sunder::gather_entries(*source_, *communicator_, samples);
}

}  // namespace sunder
