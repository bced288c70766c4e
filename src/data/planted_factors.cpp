#include "data/planted_factors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "data/planted_columns.hpp"
#include "data/planted_streams.hpp"

namespace sunder {

namespace {

constexpr double least_geometric_weight = 0.01;

/// Draws the rows that stay, in ascending order: each with probability 1 - zero_rows, but at least
/// `rank` of them (all, if there are fewer), because columns on fewer rows would be dependent.
std::vector<Index> kept_rows(const PlantedOptions& options, int mode) {
  const Index extent = options.shape[mode];
  std::vector<Index> rows(extent);
  std::iota(rows.begin(), rows.end(), Index{0});
  if (options.zero_rows == 0) return rows;
  Rng random = stream(options.seed, Purpose::zero_rows, mode);
  Vector draw(extent);
  for (double& x : draw) x = random.uniform();
  const Index above = (draw.array() >= options.zero_rows).count();
  const Index kept = std::max(above, std::min<Index>(options.rank, extent));
  std::stable_sort(rows.begin(), rows.end(), [&](Index a, Index b) { return draw[a] > draw[b]; });
  rows.resize(kept);
  std::sort(rows.begin(), rows.end());
  return rows;
}

Matrix planted_factor(const PlantedOptions& options, int mode, Purpose purpose) {
  Matrix columns = planted_columns(options, mode, purpose);
  make_rows_heavy(options, mode, purpose, columns);
  const std::vector<Index> rows = kept_rows(options, mode);
  const Matrix kept = columns(rows, Eigen::all);
  Matrix factor = Matrix::Zero(columns.rows(), columns.cols());
  factor(rows, Eigen::all) = options.factors == FactorKind::orthonormal
                                 ? orthonormalised(kept)
                                 : Matrix(kept.colwise().normalized());
  return factor;
}

Vector planted_weights(const PlantedOptions& options) {
  const auto falling = [&](double ratio) {
    Vector weights(options.rank);
    for (Index r = 0; r < weights.size(); ++r) weights[r] = std::pow(ratio, static_cast<double>(r));
    return weights;
  };
  if (options.weight_list.size() == 1) return falling(options.weight_list.front());
  if (!options.weight_list.empty()) {
    return Eigen::Map<const Vector>(options.weight_list.data(), options.rank);
  }
  Vector weights = Vector::Ones(options.rank);
  if (options.weights == WeightKind::uniform) {
    Rng random = stream(options.seed, Purpose::weights);
    for (double& weight : weights) weight = random.uniform(1, 2);
  } else if (options.weights == WeightKind::decaying && options.rank > 1) {
    weights.setLinSpaced(1, 0.2);
  } else if (options.weights == WeightKind::geometric && options.rank > 1) {
    weights = falling(std::pow(least_geometric_weight, 1.0 / (options.rank - 1)));
  }
  return weights;
}

/// Returns unit columns orthogonal to those of the factor, each zero where the factor is zero.
Matrix directions(const PlantedOptions& options, const Matrix& factor, int mode, Purpose purpose) {
  Rng random = stream(options.seed, purpose, mode);
  Matrix turned(factor.rows(), factor.cols());
  for (double& x : turned.reshaped()) x = random.normal();
  turned = (factor.array() == 0).select(0.0, turned);
  for (Index i = 0; i < turned.cols(); ++i) {
    turned.col(i) -= factor.col(i).dot(turned.col(i)) * factor.col(i);
  }
  return turned.colwise().normalized();
}

/// Lets the columns turn: a column that turns from u towards d is cos(at) u + sin(at) d. The
/// product of several such columns is a sum over all choices of u or d in each mode, so L stays a
/// CP model, of rank 2^modes r.
CpModel rotating(const PlantedOptions& options, const CpModel& model, Purpose purpose) {
  const int last = model.order() - 1;
  const double step = options.rotate * std::numbers::pi / 180;
  const Eigen::ArrayXd angle = Eigen::ArrayXd::LinSpaced(
      model.factor(last).rows(), 0, step * static_cast<double>(model.factor(last).rows() - 1));
  const Eigen::ArrayXd cosine = angle.cos();
  const Eigen::ArrayXd sine = angle.sin();
  std::vector<Matrix> turned;
  for (int mode = 0; mode < last; ++mode) {
    turned.push_back(directions(options, model.factor(mode), mode, purpose));
  }
  std::optional<CpModel> sum;
  for (unsigned choice = 0; choice < 1U << static_cast<unsigned>(last); ++choice) {
    std::vector<Matrix> factors = model.factors();
    Eigen::ArrayXd share = Eigen::ArrayXd::Ones(angle.size());
    for (int mode = 0; mode < last; ++mode) {
      const bool other = (choice >> static_cast<unsigned>(mode) & 1U) != 0;
      if (other) factors[mode] = turned[mode];
      share *= other ? sine : cosine;
    }
    factors.back() = share.matrix().asDiagonal() * factors.back();
    const CpModel term(model.weights(), std::move(factors));
    sum = sum ? concatenate(*sum, term) : term;
  }
  return *sum;
}

/// Joins one model before slice change_at of the last mode and another from there on.
CpModel changing(const PlantedOptions& options, const CpModel& before, const CpModel& after) {
  const auto only = [&](const CpModel& model, bool first) {
    std::vector<Matrix> factors = model.factors();
    Matrix& last = factors.back();
    if (first) {
      last.bottomRows(last.rows() - options.change_at).setZero();
    } else {
      last.topRows(options.change_at).setZero();
    }
    return CpModel(model.weights(), std::move(factors));
  };
  return concatenate(only(before, true), only(after, false));
}

/// Draws a model whose factors come from one stream and their movement from another.
CpModel drawn_model(const PlantedOptions& options, Purpose factor, Purpose last_factor,
                    Purpose direction) {
  const int last = options.shape.order() - 1;
  std::vector<Matrix> factors;
  for (int mode = 0; mode <= last; ++mode) {
    const bool same = options.symmetric && mode > 0;
    const Purpose purpose = mode < last ? factor : last_factor;
    factors.push_back(same ? factors.front() : planted_factor(options, mode, purpose));
  }
  const CpModel still(planted_weights(options), std::move(factors));
  return options.rotate != 0 ? rotating(options, still, direction) : still;
}

}  // namespace

CpModel planted_model(const PlantedOptions& options) {
  CpModel low_rank = drawn_model(options, Purpose::factor, Purpose::factor, Purpose::direction);
  if (options.change_at > 0) {
    low_rank = changing(
        options, low_rank,
        drawn_model(options, Purpose::changed_factor, Purpose::factor, Purpose::changed_direction));
  }
  if (options.rotate != 0 || options.change_at > 0) low_rank.normalise();
  return low_rank;
}

CpModel other_model(const PlantedOptions& options) {
  const Purpose other = Purpose::other_factor;
  CpModel model = drawn_model(options, other, other, other);
  if (options.rotate != 0) model.normalise();
  return model;
}

}  // namespace sunder
