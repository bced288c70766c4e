#pragma once
/// Where the numbers of a tensor come from.

#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// Consecutive indices of one mode, all of the others. The view is good until the next slab is
/// asked for.
struct Slab {
  TensorView view;
  int mode = 0;     ///< the mode that is cut
  Index begin = 0;  ///< where the view's index 0 of that mode lies in the whole tensor
};

/// A tensor that is handed out in slabs of one mode, in order, each of which fits in memory. A pass
/// sees nothing else of the data, so a mapped file, a dataset of HDF5, a decoded video and the
/// share of one MPI rank need no loop of their own.
class Source {
 public:
  virtual ~Source() = default;
  virtual const Shape& shape() const = 0;  ///< of the whole tensor
  virtual ScalarType type() const = 0;
  virtual Index slabs() const = 0;
  virtual Slab slab(Index number) const = 0;
};

/// A tensor in memory (or mapped into it): one slab.
class MemorySource final : public Source {
 public:
  explicit MemorySource(const TensorView& tensor) : tensor_(tensor) {}
  const Shape& shape() const override { return tensor_.shape(); }
  ScalarType type() const override { return tensor_.type(); }
  Index slabs() const override { return 1; }
  Slab slab(Index) const override { return {tensor_, 0, 0}; }

 private:
  TensorView tensor_;
};

}  // namespace sunder
