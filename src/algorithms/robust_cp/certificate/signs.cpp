#include "algorithms/robust_cp/certificate/signs.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random_order.hpp"

namespace sunder::robust {

namespace {

/// One unknown for each row that can have another sign, and one for the sign of the component,
/// which a group of an even number of modes cannot take (mode_constraints.hpp).
class Signs {
 public:
  Signs(const Shape& shape, const ModeConstraints& constraints) {
    std::vector<int> modes_of(shape.order(), 0);
    for (int mode = 0; mode < shape.order(); ++mode) {
      const int leader = constraints.leader(mode);
      first_.push_back(leader == mode ? count_ : first_[leader]);
      if (leader == mode) count_ += static_cast<std::size_t>(shape[mode]);
      free_.push_back(!constraints.nonnegative(mode));
      if (free_.back()) ++modes_of[leader];
    }
    own_sign_ = !constraints.any_nonnegative();
    for (const int modes : modes_of) {
      harmless_ += modes > 0 ? 1 : 0;
      own_sign_ = own_sign_ || modes % 2 == 1;
    }
    if (own_sign_) ++count_;
  }

  std::size_t count() const { return count_; }
  /// Dimensions of the changes that change no entry: a factor as a whole, and with it the component
  /// if it is in an odd number of modes.
  std::size_t harmless() const { return harmless_; }

  /// Does something with each of those that an entry depends on.
  template <class Action>
  void for_each_at(const ModeIndices& at, const Action& action) const {
    for (std::size_t m = 0; m < first_.size(); ++m) {
      if (free_[m]) action(first_[m] + static_cast<std::size_t>(at[m]));
    }
    if (own_sign_) action(count_ - 1);
  }

 private:
  std::size_t count_ = 0;
  std::size_t harmless_ = 0;
  bool own_sign_ = false;
  std::vector<std::size_t> first_;
  std::vector<bool> free_;
};

/// Linear equations without right-hand sides over the field of two elements.
class ParityEquations {
 public:
  explicit ParityEquations(std::size_t unknowns)
      : words_((unknowns + 63) / 64), with_first_(unknowns) {}

  /// The sum of those that the entry depends on is zero; one that comes twice is not in it.
  void add(const Signs& signs, const ModeIndices& at) {
    Equation equation(words_, 0);
    signs.for_each_at(at, [&](std::size_t unknown) {
      equation[unknown / 64] ^= std::uint64_t{1} << (unknown % 64);
    });
    for (std::size_t word = 0; word < words_; ++word) {
      while (equation[word] != 0) {
        const auto first = 64 * word + static_cast<std::size_t>(std::countr_zero(equation[word]));
        Equation& known = with_first_[first];
        if (known.empty()) {
          known = std::move(equation);
          ++independent_;
          return;
        }
        for (std::size_t w = word; w < words_; ++w) equation[w] ^= known[w];
      }
    }
  }
  std::size_t independent() const { return independent_; }

 private:
  using Equation = std::vector<std::uint64_t>;
  std::size_t words_;
  std::vector<Equation> with_first_;  ///< by the first unknown in it; empty if there is none
  std::size_t independent_ = 0;
};

std::vector<Index> shuffled(const Entries& marked, Rng& rng) {
  std::vector<Index> entries;
  for (Index i = 0; i < marked.size(); ++i) {
    if (marked[i] > 0) entries.push_back(i);
  }
  shuffle(entries, rng);
  return entries;
}

}  // namespace

bool signs_are_determined(const Shape& shape, const Factors& factors, const Entries& fitted,
                          double level, const ModeConstraints& constraints, Rng& rng) {
  const Signs signs(shape, constraints);
  // In random order, few of them are needed before the others say nothing new.
  const std::vector<Index> entries = shuffled(fitted, rng);
  for (Index component = 0; component < factors.front().cols(); ++component) {
    const auto is_at_work = [&](const ModeIndices& at) {
      double product = 1;
      for (std::size_t m = 0; m < factors.size(); ++m) product *= factors[m](at[m], component);
      return std::abs(product) >= level;
    };
    std::vector<std::uint8_t> is_asked_for(signs.count(), 0);
    std::size_t unknown = 0;
    for (const Index entry : entries) {
      const ModeIndices at = shape.unravel(entry);
      if (unknown == signs.count()) break;
      if (!is_at_work(at)) continue;
      signs.for_each_at(at, [&](std::size_t sign) {
        if (is_asked_for[sign] == 0) ++unknown;
        is_asked_for[sign] = 1;
      });
    }
    ParityEquations equations(signs.count());
    const auto is_solved = [&] { return equations.independent() + signs.harmless() >= unknown; };
    for (const Index entry : entries) {
      const ModeIndices at = shape.unravel(entry);
      if (is_solved()) break;
      if (is_at_work(at)) equations.add(signs, at);
    }
    if (!is_solved()) return false;
  }
  return true;
}

}  // namespace sunder::robust
