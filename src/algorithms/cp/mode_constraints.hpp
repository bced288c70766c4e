#pragma once
/// Models whose modes share factors, or have factors without negative entries.

#include "sunder/algorithms/constraints.hpp"
#include "sunder/core/cp_model.hpp"

namespace sunder {

/// The constraints on a tensor of given shape. A mode that shares nothing is a group of its own.
class ModeConstraints {
 public:
  ModeConstraints() = default;  ///< none
  /// Throws OptionError for modes that do not exist or that are named twice, InputError for modes
  /// of unequal extent in one group.
  ModeConstraints(const Constraints& constraints, const Shape& shape);

  bool any() const { return shares_ || any_nonnegative(); }
  bool shares() const { return shares_; }
  bool any_nonnegative() const;
  /// The first mode of its group, which stands for the others.
  int leader(int mode) const;
  bool nonnegative(int mode) const;

  /// Makes the model obey. Weights are folded into the factors, whose columns have the same length
  /// in every mode. Signs are taken from the model itself, then the modes of a group are averaged,
  /// then negative entries become zero. At a model that obeys, J'J commutes with permutations of
  /// the modes of a group, so averaging a Gauss-Newton step gives the step of the constrained
  /// problem.
  ///
  /// A group of an even number of modes cannot take a sign, u u = (-u)(-u): the sign of such a
  /// component goes to a group that can. Where there is none, but no mode is non-negative either,
  /// the first mode of a group takes it (a negative weight); otherwise the component becomes zero.
  void impose(std::vector<Matrix>& balanced) const;

  /// 1 where an entry may move along `gradient` (of what is to grow), 0 where it is zero and would
  /// become negative.
  std::vector<Matrix> free_entries(const std::vector<Matrix>& factors,
                                   const std::vector<Matrix>& gradient) const;

 private:
  struct Group {
    std::vector<std::size_t> modes;
    bool nonnegative = false;
    bool even() const { return modes.size() % 2 == 0; }
  };
  const Group& group_of(int mode) const;
  void impose_on_component(std::vector<Matrix>& factors, Index component) const;
  void settle_sign(std::vector<Matrix>& factors, Index component) const;

  std::vector<Group> groups_;
  bool shares_ = false;
};

}  // namespace sunder
