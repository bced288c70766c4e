#include "algorithms/paper/whitening.hpp"

#include <fmt/format.h>

#include "core/dense.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

Whitening::Whitening(const std::vector<Moment>& moments) {
  for (const Moment& moment : moments) {
    const double smallest = moment.values.size() > 0 ? moment.values.minCoeff() : 0;
    if (!(smallest > 0)) {
      throw InputError(fmt::format(
          "whitening needs linearly independent components: mode {} of the second moment has an "
          "eigenvalue of {:.3g} where all must be positive; choose a lower rank",
          whiten_.size(), smallest));
    }
    const Vector root = moment.values.cwiseSqrt();
    whiten_.emplace_back(moment.vectors * root.cwiseInverse().asDiagonal());
    unwhiten_.emplace_back(moment.vectors * root.asDiagonal());
  }
}

DenseTensor Whitening::whitened(TensorOperator& tensor) const {
  return compressed(tensor, whiten_);
}

CpModel Whitening::whitened(const CpModel& model) const {
  std::vector<Matrix> factors;
  for (int mode = 0; mode < order(); ++mode) {
    factors.emplace_back(matrix(mode).transpose() * model.factor(mode));
  }
  return {model.weights(), std::move(factors)};
}

CpModel Whitening::unwhitened(const CpModel& model) const {
  std::vector<Matrix> factors;
  for (std::size_t mode = 0; mode < unwhiten_.size(); ++mode) {
    factors.emplace_back(unwhiten_[mode] * model.factors()[mode]);
  }
  CpModel back(model.weights(), std::move(factors));
  back.normalise();
  back.sort_by_weight();
  return back;
}

std::vector<Whitening::Moment> second_moments(const CpModel& model) {
  const Vector root = model.weights().cwiseAbs().cwiseSqrt();
  std::vector<Whitening::Moment> moments;
  for (const Matrix& factor : model.factors()) {
    const Svd svd = jacobi_svd(factor * root.asDiagonal(), SingularVectors::left);
    moments.push_back({svd.u, svd.values.cwiseAbs2()});
  }
  return moments;
}

}  // namespace sunder
