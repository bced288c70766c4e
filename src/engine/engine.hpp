#pragma once
/// A tensor together with the means to pass over it. Algorithms know only this, so that one and the
/// same algorithm runs wherever the data is.

#include "engine/pass.hpp"

namespace sunder {

class Engine {
 public:
  /// `still_wanted` is asked during every pass; it answers from the calling thread.
  Engine(const TensorView& tensor, int threads, std::function<Continue()> still_wanted = {})
      : tensor_(tensor), threads_(threads), still_wanted_(std::move(still_wanted)) {}

  const Shape& shape() const { return tensor_.shape(); }
  /// Complete reads of the data so far: the unit of cost.
  int passes() const { return passes_; }

  PassResult pass(const PassRequest& request) {
    ++passes_;
    return sunder::pass(tensor_, request, threads_, still_wanted_);
  }

 private:
  TensorView tensor_;
  int threads_;
  std::function<Continue()> still_wanted_;
  int passes_ = 0;
};

}  // namespace sunder
