#include "algorithms/robust_cp/signs.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace sunder::robust {

namespace {

/// Linear equations without right-hand sides over the field of two elements.
class ParityEquations {
 public:
  explicit ParityEquations(std::size_t unknowns)
      : words_((unknowns + 63) / 64), with_first_(unknowns) {}

  /// The sum of these unknowns is zero; one that comes twice is not in it.
  void add(const std::vector<std::size_t>& unknowns) {
    Equation equation(words_, 0);
    for (const std::size_t unknown : unknowns) {
      equation[unknown / 64] ^= std::uint64_t{1} << (unknown % 64);
    }
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

/// One unknown for each row that can have another sign, and one for the sign of the component,
/// which a group of an even number of modes cannot take (mode_constraints.hpp).
class Signs {
 public:
  Signs(const Shape& shape, const ModeConstraints& constraints) : shape_(shape) {
    std::vector<int> modes_of(static_cast<std::size_t>(shape.order()), 0);
    for (int mode = 0; mode < shape.order(); ++mode) {
      const int leader = constraints.leader(mode);
      first_.push_back(leader == mode ? count_ : first_[static_cast<std::size_t>(leader)]);
      if (leader == mode) count_ += static_cast<std::size_t>(shape[mode]);
      free_.push_back(!constraints.nonnegative(mode));
      if (free_.back()) ++modes_of[static_cast<std::size_t>(leader)];
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

  std::vector<std::size_t> of_entry(Index entry) const {
    const ModeIndices at = shape_.unravel(entry);
    std::vector<std::size_t> unknowns;
    for (std::size_t m = 0; m < first_.size(); ++m) {
      if (free_[m]) unknowns.push_back(first_[m] + static_cast<std::size_t>(at[m]));
    }
    if (own_sign_) unknowns.push_back(count_ - 1);
    return unknowns;
  }

 private:
  const Shape& shape_;
  std::size_t count_ = 0;
  std::size_t harmless_ = 0;
  bool own_sign_ = false;
  std::vector<std::size_t> first_;
  std::vector<bool> free_;
};

std::vector<Index> shuffled(const Entries& marked, Rng& rng) {
  std::vector<Index> entries;
  for (Index i = 0; i < marked.size(); ++i) {
    if (marked[i] > 0) entries.push_back(i);
  }
  for (std::size_t i = entries.size(); i > 1; --i) {
    std::swap(entries[i - 1], entries[rng.below(i)]);
  }
  return entries;
}

}  // namespace

bool signs_are_determined(const Shape& shape, const Factors& factors, const Entries& fitted,
                          double level, const ModeConstraints& constraints, Rng& rng) {
  const Signs signs(shape, constraints);
  // In random order, few equations are needed before the others say nothing new.
  const std::vector<Index> entries = shuffled(fitted, rng);
  for (Index component = 0; component < factors.front().cols(); ++component) {
    Factors alone;
    for (const Matrix& factor : factors) alone.emplace_back(factor.col(component));
    const Entries size = evaluate(alone).abs();
    std::vector<std::uint8_t> is_asked_for(signs.count(), 0);
    for (const Index i : entries) {
      if (size[i] < level) continue;
      for (const std::size_t sign : signs.of_entry(i)) is_asked_for[sign] = 1;
    }
    const auto unknown =
        static_cast<std::size_t>(std::ranges::count(is_asked_for, std::uint8_t{1}));
    ParityEquations equations(signs.count());
    for (const Index i : entries) {
      if (equations.independent() + signs.harmless() >= unknown) break;
      if (size[i] >= level) equations.add(signs.of_entry(i));
    }
    if (equations.independent() + signs.harmless() < unknown) return false;
  }
  return true;
}

}  // namespace sunder::robust
