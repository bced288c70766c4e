#pragma once
/// Which cores are tried one after the other, and when to stop.

#include "algorithms/robust_cp/core/core_budget.hpp"
#include "algorithms/robust_cp/core/sampling.hpp"
#include "algorithms/robust_cp/levels/scheme.hpp"

namespace sunder::robust {

/// Each core is half as large again as the one before in every mode, until the core is all of T.
class CoreSchedule {
 public:
  /// Throws InputError if the first core does not fit into the budget, which outlives the schedule.
  CoreSchedule(const Shape& shape, int rank, Index side, const CoreBudget& budget)
      : shape_(shape), rank_(rank), side_(side), budget_(budget) {
    begin_attempt();
  }

  int attempt() const { return attempt_; }
  const Shape& core() const { return core_; }
  bool is_whole() const { return core_ == shape_; }

  /// Whether nothing is to be gained from a further core: two attempts on all of T have failed
  /// (three where one of two was far better, `clear`, so that a third may agree with it), or
  /// the entries to be sampled are used up.
  bool is_last(bool clear, bool out_of_entries) const {
    const bool promising = is_whole() && clear;
    using namespace levels::scheme;
    const int most = promising ? attempts_if_promising : attempts_on_whole;
    return on_whole_ >= most || (attempt_ >= counted_attempt && !promising && out_of_entries);
  }

  /// Goes on to the next core. Where that does not fit into memory, another core of the same size
  /// is tried once, which may still agree with this one; after that, false.
  bool grow() {
    if (at_limit_) return false;
    const Index larger =
        side_ * levels::scheme::growth_numerator / levels::scheme::growth_denominator;
    at_limit_ = !budget_.fits(core_shape(shape_, rank_, larger));
    if (!at_limit_) side_ = larger;
    ++attempt_;
    begin_attempt();
    return true;
  }

 private:
  void begin_attempt() {
    core_ = core_shape(shape_, rank_, side_);
    budget_.require(core_);
    on_whole_ += is_whole() ? 1 : 0;
  }

  const Shape shape_;
  const int rank_;
  Index side_;
  const CoreBudget& budget_;
  Shape core_;
  int attempt_ = 1;
  int on_whole_ = 0;  ///< attempts on all of T
  bool at_limit_ = false;
};

}  // namespace sunder::robust
