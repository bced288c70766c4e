#pragma once
/// How likely an entry with a given z is noise, and which entries are called errors such that few
/// of the calls are false (local false discovery rates, Efron 2004).

#include <vector>

#include "algorithms/robust_cp/inference/null_distribution.hpp"

namespace sunder::robust {

class ErrorRates {
 public:
  /// `level`: of the entries that are called errors, at most this share is noise, on average.
  ErrorRates(const StandardResiduals& residuals, const NullDistribution& null, double level);

  /// P(noise) of an entry.
  double local(double z) const { return at(local_, z); }
  /// The least level at which the entry is called an error.
  double q(double z) const { return at(q_, z); }
  bool is_error(double z) const { return z <= -left_limit_ || z >= right_limit_; }
  /// |z| from which on an entry is called an error, on either side of zero.
  double left_limit() const { return left_limit_; }
  double right_limit() const { return right_limit_; }
  /// The share of noise to expect among the errors.
  double expected() const { return expected_; }
  const NullDistribution& null() const { return null_; }

 private:
  void expect_noise(double total);
  void find_local_rates(const StandardResiduals& residuals);
  /// The level at which the bins up to each one would be called errors, the surest first.
  void accumulate(const StandardResiduals& residuals, double level);
  double limit(int first, int step, double cut) const;
  std::vector<double> rates(const std::vector<int>& order, const std::vector<double>& counts) const;
  /// Logarithms of rates, by z.
  double at(const std::vector<double>& table, double z) const;

  NullDistribution null_;
  std::vector<double> local_;  ///< logarithms, of the middle of each bin
  std::vector<double> q_;
  std::vector<double> noise_;  ///< expected entries in each bin
  double left_limit_ = std::numeric_limits<double>::infinity();
  double right_limit_ = std::numeric_limits<double>::infinity();
  double expected_ = 0;
};

}  // namespace sunder::robust
