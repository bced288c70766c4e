#pragma once
/// Planted tensors seen as streams of their slices along the last mode.

#include <vector>

#include "sunder/algorithms/stream.hpp"
#include "sunder/data/planted.hpp"

namespace sunder::test {

inline Shape slice_shape(const Shape& shape) {
  return Shape(std::span<const Index>(shape.begin(), static_cast<std::size_t>(shape.order() - 1)));
}

inline TensorView slice_of(const TensorView& tensor, Index t) {
  const int last = tensor.order() - 1;
  const TensorView slab = tensor.slab(last, t, t + 1);
  ModeIndices strides{};
  for (int mode = 0; mode < last; ++mode) {
    strides[mode] = slab.stride(mode);
  }
  return {slab.data(), slab.type(), slice_shape(tensor.shape()), strides};
}

inline CpModel slice_of(const CpModel& model, Index t) {
  const std::vector<Matrix> factors(model.factors().begin(), model.factors().end() - 1);
  return {model.weights().cwiseProduct(model.factors().back().row(t).transpose()), factors};
}

/// What a stream said about every slice of a planted tensor, at last.
struct StreamRun {
  std::vector<SliceDecision> decisions;  ///< late ones in their places
  std::vector<SliceDecision> at_once;    ///< as push() returned them
  std::vector<double> errors;            ///< of L, relative; negative where there was no model
  std::vector<Index> changes;            ///< slices at which one was reported
};

inline StreamRun run_stream(RobustCpStream& stream, const PlantedTensor& planted, Index begin = 0,
                            Index end = -1) {
  StreamRun run;
  const Shape shape = planted.tensor.shape();
  const Index slices = shape[shape.order() - 1];
  run.decisions.resize(slices);
  run.errors.assign(slices, -1);
  const auto take = [&](const SliceDecision& decision) {
    const auto at = static_cast<std::size_t>(decision.slice);
    run.decisions[at] = decision;
    if (!decision.explained) return;
    const CpModel truth = slice_of(planted.low_rank, decision.slice);
    run.errors[at] = stream.slice_model(decision.slice).distance(truth) / truth.norm();
  };
  for (Index t = begin; t < (end < 0 ? slices : end); ++t) {
    run.at_once.push_back(stream.push(slice_of(planted.tensor.view(), t)));
    if (run.at_once.back().subspace_changed) run.changes.push_back(t);
    for (const SliceDecision& late : stream.late_decisions()) take(late);
    take(run.at_once.back());
  }
  return run;
}

inline bool same_bits(const SliceDecision& a, const SliceDecision& b) {
  return a.slice == b.slice && a.coefficients == b.coefficients && a.positions == b.positions &&
         a.values == b.values && a.residual == b.residual && a.missing == b.missing &&
         a.warming_up == b.warming_up && a.relearning == b.relearning &&
         a.explained == b.explained && a.subspace_changed == b.subspace_changed &&
         a.changed_at == b.changed_at;
}

}  // namespace sunder::test
