#include "algorithms/tensor_operator.hpp"

namespace sunder {

Matrix mttkrp(const CpModel& model, const std::vector<Matrix>& factors, int mode) {
  Matrix product = model.weights().replicate(1, factors.front().cols());
  for (int other = 0; other < model.order(); ++other) {
    if (other == mode) continue;
    product.array() *=
        (model.factor(other).transpose() * factors[static_cast<std::size_t>(other)]).array();
  }
  return model.factor(mode) * product;
}

Matrix CleanedTensor::mttkrp(const std::vector<Matrix>& factors, int mode) {
  PassRequest request;
  request.model = &model_;
  request.rule = rule_;
  request.probe = &factors;
  request.modes = only_mode(mode);
  const PassResult result = engine_.pass(request);
  statistics_ = result.statistics;
  return result.mttkrp[static_cast<std::size_t>(mode)] + sunder::mttkrp(model_, factors, mode);
}

}  // namespace sunder
