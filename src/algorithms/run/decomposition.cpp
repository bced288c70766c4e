#include "sunder/algorithms/decomposition.hpp"

namespace sunder {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::converged:
      return "converged";
    case Outcome::iteration_limit:
      return "iteration_limit";
    case Outcome::time_limit:
      return "time_limit";
    case Outcome::stalled:
      return "stalled";
    case Outcome::ambiguous:
      return "ambiguous";
    case Outcome::cancelled:
      break;
  }
  return "cancelled";
}

std::string_view to_string(Certified certified) {
  switch (certified) {
    case Certified::exact:
      return "exact";
    case Certified::consistent:
      return "consistent";
    case Certified::reproducible:
      return "reproducible";
    case Certified::none:
      break;
  }
  return "none";
}

void Decomposition::set_sparse(SparseTensor found) {
  sparse_count = found.count();
  sparse_norm = found.norm();
  sparse = std::move(found);
}

std::string_view to_string(NoiseFamily family) {
  switch (family) {
    case NoiseFamily::automatic:
      break;
    case NoiseFamily::gaussian:
      return "gaussian";
    case NoiseFamily::poisson:
      return "poisson";
    case NoiseFamily::proportional:
      return "proportional";
    case NoiseFamily::t:
      return "t";
  }
  return "auto";
}

std::string_view to_string(Casewise casewise) { return casewise == Casewise::on ? "on" : "off"; }

}  // namespace sunder
