#include "sunder/algorithms/evaluation.hpp"

#include <fmt/format.h>

#include "sunder/core/error.hpp"

namespace sunder {

Evaluation evaluate_low_rank(const Decomposition& result, const CpModel& true_low_rank) {
  if (!(result.low_rank.shape() == true_low_rank.shape())) {
    throw InputError(fmt::format("the truth has shape {}, but the tensor has shape {}",
                                 to_string(true_low_rank.shape()),
                                 to_string(result.low_rank.shape())));
  }
  Evaluation evaluation;
  const double scale = true_low_rank.norm();
  const double distance = result.low_rank.distance(true_low_rank);
  evaluation.error_low_rank = scale > 0 ? distance / scale : distance;
  evaluation.components = match_components(true_low_rank, result.low_rank);
  return evaluation;
}

Evaluation evaluate(const Decomposition& result, const CpModel& true_low_rank,
                    const SparseTensor& true_sparse) {
  Evaluation evaluation = evaluate_low_rank(result, true_low_rank);
  evaluation.support = compare_support(result.sparse, true_sparse);
  return evaluation;
}

}  // namespace sunder
