/// u_i, sigma_i          components of the truth L*, unit columns in every mode
/// u^_i, lambda_i        those of the estimate, matched with them

#include "sunder/theory/guarantees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sunder/core/error.hpp"
#include "sunder/core/matching.hpp"

namespace sunder {

namespace {

void require_comparable(const Shape& found, const Shape& truth, const char* part) {
  if (found == truth) return;
  throw InputError(fmt::format("the {} parts differ in shape: {} was found, the truth is {}", part,
                               to_string(found), to_string(truth)));
}

/// Compares the columns and the weight of one matched component. Column signs are free as long as
/// their product is preserved, so the sign of the weight absorbs flipped columns.
void compare_component(const CpModel& found, Index j, const CpModel& truth, Index i,
                       Guarantees& result) {
  double sign = 1;
  for (int mode = 0; mode < truth.order(); ++mode) {
    const auto u = truth.factor(mode).col(i);
    const auto v = found.factor(mode).col(j);
    const double flip = u.dot(v) < 0 ? -1 : 1;
    sign *= flip;
    const double distance = u.size() == 0 ? 0 : (flip * v - u).cwiseAbs().maxCoeff();
    result.vectors.measured = std::max(result.vectors.measured, distance);
  }
  const double error = std::abs(sign * found.weights()[j] - truth.weights()[i]);
  result.weights.measured = std::max(result.weights.measured, error);
}

/// Counts a component that one of the two models lacks.
void count_unmatched(const CpModel& model, Index i, Guarantees& result) {
  for (const Matrix& factor : model.factors()) {
    result.vectors.measured =
        std::max(result.vectors.measured, factor.col(i).cwiseAbs().maxCoeff());
  }
  result.weights.measured = std::max(result.weights.measured, model.weights()[i]);
}

void compare_components(const CpModel& found, const CpModel& truth, Guarantees& result) {
  const ComponentMatch match = match_components(truth, found);
  std::vector<bool> taken(found.rank(), false);
  for (Index i = 0; i < truth.rank(); ++i) {
    const int partner = match.partner[i];
    if (partner < 0) {
      count_unmatched(truth, i, result);
      continue;
    }
    taken[partner] = true;
    compare_component(found, partner, truth, i, result);
  }
  for (Index j = 0; j < found.rank(); ++j) {
    if (!taken[j]) count_unmatched(found, j, result);
  }
}

void compare_sparse(const SparseTensor& found, const SparseTensor& truth, Guarantees& result) {
  std::size_t a = 0;
  std::size_t b = 0;
  const auto count = [](const SparseTensor& s) { return s.positions().size(); };
  while (a < count(found) || b < count(truth)) {
    double difference = 0;
    const bool both = a < count(found) && b < count(truth);
    if (both && found.positions()[a] == truth.positions()[b]) {
      difference = found.values()[a++] - truth.values()[b++];
    } else if (b == count(truth) || (both && found.positions()[a] < truth.positions()[b])) {
      difference = found.values()[a++];
      ++result.outside_support;
    } else {
      difference = truth.values()[b++];
    }
    result.sparse.measured = std::max(result.sparse.measured, std::abs(difference));
  }
}

}  // namespace

Guarantees check_guarantees(const CpModel& low_rank, const SparseTensor& sparse,
                            const CpModel& true_low_rank, const SparseTensor& true_sparse,
                            double delta) {
  require_comparable(low_rank.shape(), true_low_rank.shape(), "low-rank");
  require_comparable(sparse.shape(), true_sparse.shape(), "sparse");
  require_comparable(true_low_rank.shape(), true_sparse.shape(), "low-rank and sparse");
  if (!(delta > 0)) {
    throw OptionError(fmt::format("delta is {}, but the accuracy must be positive", delta));
  }
  CpModel found = low_rank;
  CpModel truth = true_low_rank;
  found.normalise();
  truth.normalise();
  const Incoherence incoherence = measure_incoherence(truth);
  const auto entries = static_cast<double>(truth.shape().entries());
  const double n = std::pow(entries, 1.0 / truth.order());

  Guarantees result;
  result.vectors.allowed = delta / (std::pow(incoherence.mu, 2) * truth.rank() * std::sqrt(n) *
                                    incoherence.smallest_weight);
  result.weights.allowed = delta;
  result.low_rank = {found.distance(truth), delta};
  result.sparse.allowed = delta / std::sqrt(entries);
  compare_components(found, truth, result);
  compare_sparse(sparse, true_sparse, result);
  return result;
}

}  // namespace sunder
