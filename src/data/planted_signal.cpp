#include "data/planted_signal.hpp"

#include <cmath>

#include "data/planted_factors.hpp"

namespace sunder {

namespace {

/// Returns the tensor all of whose entries have this value.
CpModel constant_model(const Shape& shape, double value) {
  std::vector<Matrix> factors;
  for (const Index extent : shape) {
    factors.push_back(Matrix::Constant(extent, 1, 1 / std::sqrt(static_cast<double>(extent))));
  }
  const double norm = value * std::sqrt(static_cast<double>(shape.entries()));
  return {Vector::Constant(1, norm), std::move(factors)};
}

double rms(const CpModel& model) {
  return model.norm() / std::sqrt(static_cast<double>(model.shape().entries()));
}

/// Returns the mean of all entries.
double mean(const CpModel& model) {
  return model.inner(constant_model(model.shape(), 1)) /
         static_cast<double>(model.shape().entries());
}

/// Adds the offset as the last component, and makes the mean that of the counts.
PlantedSignal finished(const PlantedOptions& options, CpModel model) {
  PlantedSignal signal{std::move(model), 0, 1};
  signal.rms = rms(signal.low_rank);
  if (options.offset != 0) {
    signal.low_rank =
        concatenate(signal.low_rank, constant_model(options.shape, options.offset * signal.rms));
    if (options.offset < 0) signal.low_rank.normalise();
  }
  if (options.noise_model == NoiseKind::poisson) {
    signal.gain = 1 / (options.noise * options.noise * mean(signal.low_rank));
    signal.rms *= signal.gain;
    signal.low_rank = CpModel(signal.gain * signal.low_rank.weights(), signal.low_rank.factors());
  }
  return signal;
}

}  // namespace

PlantedSignal planted_signal(const PlantedOptions& options) {
  return finished(options, planted_model(options));
}

CpModel other_low_rank(const PlantedOptions& options) {
  return finished(options, other_model(options)).low_rank;
}

}  // namespace sunder
