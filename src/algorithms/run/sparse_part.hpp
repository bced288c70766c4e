#pragma once
/// How S reaches the caller: as a list in the result, as a stream to a receiver, or as a count.

#include <cmath>

#include "engine/engine.hpp"
#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"

namespace sunder {

/// Whether S is to be listed in the result.
inline bool lists_sparse(const RunOptions& options) {
  return options.collect_sparse && options.sparse_receiver == nullptr;
}

/// Returns where a pass sends S, after it has told the receiver that S begins; empty if there is no
/// receiver.
SparseSink sparse_sink(const Engine& engine, const RunOptions& options);

/// Finds S = HT_zeta(T - L) of the result's own L by one pass, with its count and norm.
void find_sparse(Engine& engine, double zeta, const RunOptions& options, Decomposition& result);

/// The options of a part of a run, such as a slice: it is worked on by this process alone, nothing
/// of it is kept, and its S is listed, because the run still has to move S to other positions. The
/// run then calls `deliver_sparse`.
RunOptions options_of_part(RunOptions options);
/// Hands the list of S that the result holds to the receiver, if there is one.
void deliver_sparse(const RunOptions& options, Decomposition& result);

/// Makes the list of S of a method that holds S densely: every observed entry above `threshold` in
/// size. `entry(i)` is entry i of S in C order, or NaN where the tensor is missing.
template <class Entry>
void list_sparse(const Shape& shape, double threshold, const RunOptions& options,
                 const Entry& entry, Decomposition& result) {
  std::vector<Index> positions;
  std::vector<double> values;
  double square = 0;
  for (Index i = 0; i < shape.entries(); ++i) {
    const double value = entry(i);
    if (!(std::abs(value) > threshold)) continue;
    ++result.sparse_count;
    square += value * value;
    if (!options.collect_sparse && options.sparse_receiver == nullptr) continue;  // only counted
    positions.push_back(i);
    values.push_back(value);
  }
  result.sparse_norm = std::sqrt(square);
  result.sparse = SparseTensor(shape, std::move(positions), std::move(values));
  deliver_sparse(options, result);
}

}  // namespace sunder
