#include "sunder/theory/incoherence.hpp"

#include <algorithm>
#include <cmath>

namespace sunder {

Incoherence measure_incoherence(const CpModel& model) {
  CpModel unit = model;
  unit.normalise();
  Incoherence found;
  found.rank = unit.rank();
  for (const Matrix& factor : unit.factors()) {
    double mu = 0;
    double defect = 0;
    if (factor.size() > 0) {
      mu = std::sqrt(static_cast<double>(factor.rows())) * factor.cwiseAbs().maxCoeff();
      Matrix gram = factor.transpose() * factor;
      gram.diagonal().setZero();
      defect = gram.cwiseAbs().maxCoeff();
    }
    found.mu_of_mode.push_back(mu);
    found.defect_of_mode.push_back(defect);
    found.mu = std::max(found.mu, mu);
    found.orthogonality_defect = std::max(found.orthogonality_defect, defect);
  }
  if (unit.rank() > 0) {
    found.smallest_weight = unit.weights().minCoeff();
    found.largest_weight = unit.weights().maxCoeff();
  }
  return found;
}

}  // namespace sunder
