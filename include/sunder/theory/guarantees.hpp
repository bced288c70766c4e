#pragma once
/// Theorem 1 of the paper, checked on a result: the distance between an estimate (L^, S^) and the
/// truth (L*, S*), and the largest distance that the theorem allows.

#include "sunder/core/cp_model.hpp"
#include "sunder/core/sparse_tensor.hpp"
#include "sunder/theory/conditions.hpp"

namespace sunder {

/// n is the geometric mean of the extents, and n^1.5 is the root of the number of entries; mu, r
/// and sigma_min are those of L*.
struct Guarantees {
  Margin vectors;             ///< max ||u^_i - u_i||_inf  <=  delta / (mu^2 r sqrt(n) sigma_min)
  Margin weights;             ///< max |lambda^_i - sigma_i|  <=  delta
  Margin low_rank;            ///< ||L^ - L*||_F  <=  delta
  Margin sparse;              ///< ||S^ - S*||_inf  <=  delta / n^1.5
  Index outside_support = 0;  ///< entries of S^ that S* does not have; the theorem allows none

  bool all_hold() const {
    return vectors.holds() && weights.holds() && low_rank.holds() && sparse.holds() &&
           outside_support == 0;
  }
};

/// Compares an estimate with the truth. Components are matched one to one, with their signs fixed;
/// a component without a partner is compared with one of weight 0 and no direction. Throws
/// InputError if the shapes differ, and OptionError unless delta is positive.
Guarantees check_guarantees(const CpModel& low_rank, const SparseTensor& sparse,
                            const CpModel& true_low_rank, const SparseTensor& true_sparse,
                            double delta);

}  // namespace sunder
