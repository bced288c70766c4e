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

namespace {

/// Adds `sign` times the model's own products.
void add_products(const CpModel& model, double sign, const std::vector<Matrix>& factors,
                  ModeSet modes, std::vector<Matrix>& products) {
  for (std::size_t mode = 0; mode < factors.size(); ++mode) {
    if (modes[mode]) products[mode] += sign * mttkrp(model, factors, static_cast<int>(mode));
  }
}

}  // namespace

std::vector<Matrix> CleanedTensor::mttkrps(const std::vector<Matrix>& factors, ModeSet modes) {
  PassRequest request;
  request.model = &model_;
  request.rule = rule_;
  request.probe = &factors;
  request.modes = modes;
  std::vector<Matrix> products = engine_.pass(request).mttkrp;
  add_products(model_, 1, factors, modes, products);
  return products;
}

std::vector<Matrix> DeflatedTensor::mttkrps(const std::vector<Matrix>& factors, ModeSet modes) {
  std::vector<Matrix> products = tensor_.mttkrps(factors, modes);
  add_products(found_, -1, factors, modes, products);
  return products;
}

}  // namespace sunder
