#include "algorithms/cp/tensor_operator.hpp"

namespace sunder {

Matrix mttkrp(const CpModel& model, const std::vector<Matrix>& factors, int mode) {
  Matrix product = model.weights().replicate(1, factors.front().cols());
  for (int other = 0; other < model.order(); ++other) {
    if (other == mode) continue;
    product.array() *= (model.factor(other).transpose() * factors[other]).array();
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

DenseTensor compressed(TensorOperator& tensor, const std::vector<Matrix>& bases) {
  std::vector<Index> extents;
  Index columns = 1;
  for (const Matrix& basis : bases) {
    if (!extents.empty()) columns *= basis.cols();
    extents.push_back(basis.cols());
  }
  // Column (b, c, ...) of the probe holds column b of the second basis, c of the third, ...
  std::vector<Matrix> probe{Matrix::Zero(bases.front().rows(), columns)};  // the first: not used
  Index repeat = columns;
  for (std::size_t mode = 1; mode < bases.size(); ++mode) {
    repeat /= extents[mode];
    Matrix& wide = probe.emplace_back(bases[mode].rows(), columns);
    for (Index c = 0; c < columns; ++c) wide.col(c) = bases[mode].col(c / repeat % extents[mode]);
  }
  DenseTensor small{Shape(extents)};
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<RowMajor>(small.typed<double>().data(), extents.front(), columns) =
      bases.front().transpose() * tensor.mttkrp(probe, 0);
  return small;
}

std::vector<Matrix> CleanedTensor::mttkrps(const std::vector<Matrix>& factors, ModeSet modes) {
  PassRequest request;
  request.model = &model_;
  request.rule = rule_;
  request.probe = &factors;
  request.modes = modes;
  PassResult result = engine_.pass(request);
  statistics_ = result.statistics;
  std::vector<Matrix> products = std::move(result.mttkrp);
  add_products(model_, 1, factors, modes, products);
  return products;
}

std::vector<Matrix> DeflatedTensor::mttkrps(const std::vector<Matrix>& factors, ModeSet modes) {
  std::vector<Matrix> products = tensor_.mttkrps(factors, modes);
  add_products(found_, -1, factors, modes, products);
  return products;
}

}  // namespace sunder
