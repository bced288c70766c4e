#include "learn/topics/word_scale.hpp"

#include "sunder/core/error.hpp"

namespace sunder {

Vector word_scale(const Vector& frequency) {
  const double least = 1e-3 * frequency.cwiseAbs().mean();
  if (!(least > 0)) throw InputError("the first moment is zero");
  return frequency.cwiseMax(least).cwiseSqrt().cwiseInverse();
}

}  // namespace sunder
