#include "algorithms/cp/mode_constraints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

void require_mode(int mode, const Shape& shape, const char* option) {
  if (mode >= 0 && mode < shape.order()) return;
  throw OptionError(fmt::format("{} names mode {}, but the modes of this tensor are 0 to {}",
                                option, mode, shape.order() - 1));
}

/// More negative than positive, by their squares.
bool is_mostly_negative(const Vector& column) {
  return column.cwiseMin(0).squaredNorm() > column.cwiseMax(0).squaredNorm();
}

}  // namespace

ModeConstraints::ModeConstraints(const Constraints& constraints, const Shape& shape)
    : shares_(!constraints.shared.empty()) {
  std::vector<bool> named(shape.order(), false);
  for (const ModeList& modes : constraints.shared) {
    if (modes.size() < 2) {
      throw OptionError("shared must name at least two modes, as in 0,1");
    }
    Group group;
    for (const int mode : modes) {
      require_mode(mode, shape, "shared");
      const auto m = static_cast<std::size_t>(mode);
      if (named[m]) throw OptionError(fmt::format("shared names mode {} twice", mode));
      if (shape[mode] != shape[modes.front()]) {
        throw InputError(
            fmt::format("modes that share a factor have equal extents, but modes {} and {} of {} "
                        "have not: leave one of them out",
                        modes.front(), mode, to_string(shape)));
      }
      named[m] = true;
      group.modes.push_back(m);
    }
    std::sort(group.modes.begin(), group.modes.end());
    groups_.push_back(std::move(group));
  }
  for (std::size_t m = 0; m < named.size(); ++m) {
    if (!named[m]) groups_.push_back({{m}});
  }
  for (const int mode : constraints.nonnegative) {
    require_mode(mode, shape, "nonnegative");
    const Group& group = group_of(mode);
    groups_[&group - groups_.data()].nonnegative = true;
  }
}

bool ModeConstraints::any_nonnegative() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const Group& group) { return group.nonnegative; });
}

const ModeConstraints::Group& ModeConstraints::group_of(int mode) const {
  return *std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) {
    return std::find(group.modes.begin(), group.modes.end(), static_cast<std::size_t>(mode)) !=
           group.modes.end();
  });
}

int ModeConstraints::leader(int mode) const {
  return groups_.empty() ? mode : static_cast<int>(group_of(mode).modes.front());
}

bool ModeConstraints::nonnegative(int mode) const {
  return !groups_.empty() && group_of(mode).nonnegative;
}

void ModeConstraints::impose(std::vector<Matrix>& balanced) const {
  if (!any()) return;
  for (Index i = 0; i < balanced.front().cols(); ++i) impose_on_component(balanced, i);
}

void ModeConstraints::impose_on_component(std::vector<Matrix>& factors, Index component) const {
  double sign = 1;  // what the groups could not take
  for (const Group& group : groups_) {
    const Vector first = factors[group.modes.front()].col(component);
    Vector mean = first;
    double product = 1;
    for (std::size_t k = 1; k < group.modes.size(); ++k) {
      const auto column = factors[group.modes[k]].col(component);
      const double own = column.dot(first) < 0 ? -1 : 1;
      product *= own;
      mean += own * column;
    }
    mean /= static_cast<double>(group.modes.size());
    // An odd group takes a sign into its factor: (-u)^3 = -u^3.
    if (!group.even()) mean *= product;
    if (group.even()) sign *= product;
    if (group.nonnegative) {
      if (is_mostly_negative(mean)) {
        mean = -mean;
        if (!group.even()) sign = -sign;
      }
      mean = mean.cwiseMax(0);
    }
    for (const std::size_t m : group.modes) factors[m].col(component) = mean;
  }
  if (sign < 0) settle_sign(factors, component);
}

void ModeConstraints::settle_sign(std::vector<Matrix>& factors, Index component) const {
  for (const Group& group : groups_) {
    if (group.even() || group.nonnegative) continue;
    for (const std::size_t m : group.modes) factors[m].col(component) *= -1;
    return;
  }
  if (!any_nonnegative()) {
    factors[groups_.front().modes.front()].col(component) *= -1;
    return;
  }
  for (Matrix& factor : factors) factor.col(component).setZero();
}

std::vector<Matrix> ModeConstraints::free_entries(const std::vector<Matrix>& factors,
                                                  const std::vector<Matrix>& gradient) const {
  std::vector<Matrix> free;
  for (const Matrix& factor : factors) {
    free.emplace_back(Matrix::Ones(factor.rows(), factor.cols()));
  }
  for (const Group& group : groups_) {
    if (!group.nonnegative) continue;
    Matrix along = gradient[group.modes.front()];
    for (std::size_t k = 1; k < group.modes.size(); ++k) along += gradient[group.modes[k]];
    const Matrix& factor = factors[group.modes.front()];
    const Matrix mask = (factor.array() > 0 || along.array() > 0).cast<double>().matrix();
    for (const std::size_t m : group.modes) free[m] = mask;
  }
  return free;
}

}  // namespace sunder
