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

/// One unknown for each row that can have another sign.
class RowSigns {
 public:
  RowSigns(const Shape& shape, const ModeConstraints& constraints) : shape_(shape) {
    std::vector<int> modes_of(static_cast<std::size_t>(shape.order()), 0);
    for (int mode = 0; mode < shape.order(); ++mode) {
      const int leader = constraints.leader(mode);
      if (leader == mode) count_ += static_cast<std::size_t>(shape[mode]);
      first_.push_back(leader == mode ? count_ - static_cast<std::size_t>(shape[mode])
                                      : first_[static_cast<std::size_t>(leader)]);
      free_.push_back(!constraints.nonnegative(mode));
      if (free_.back()) ++modes_of[static_cast<std::size_t>(leader)];
    }
    // All rows of a factor change their signs together; a factor in an odd number of modes needs
    // another to do so with it.
    bool odd = false;
    for (const int modes : modes_of) {
      harmless_ += modes > 0 ? 1 : 0;
      odd = odd || modes % 2 == 1;
    }
    if (odd) --harmless_;
  }

  std::size_t count() const { return count_; }
  std::size_t harmless() const { return harmless_; }

  std::vector<std::size_t> of_entry(Index entry) const {
    const ModeIndices at = shape_.unravel(entry);
    std::vector<std::size_t> rows;
    for (std::size_t m = 0; m < first_.size(); ++m) {
      if (free_[m]) rows.push_back(first_[m] + static_cast<std::size_t>(at[m]));
    }
    return rows;
  }

 private:
  const Shape& shape_;
  std::size_t count_ = 0;
  std::size_t harmless_ = 0;  ///< dimensions of the changes that change no entry
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
  const RowSigns signs(shape, constraints);
  // In random order, few equations are needed before the others say nothing new.
  const std::vector<Index> entries = shuffled(fitted, rng);
  for (Index component = 0; component < factors.front().cols(); ++component) {
    Factors alone;
    for (const Matrix& factor : factors) alone.emplace_back(factor.col(component));
    const Entries size = evaluate(alone).abs();
    std::vector<std::uint8_t> is_in_equations(signs.count(), 0);
    for (const Index i : entries) {
      if (size[i] < level) continue;
      for (const std::size_t row : signs.of_entry(i)) is_in_equations[row] = 1;
    }
    const auto rows = static_cast<std::size_t>(
        std::count(is_in_equations.begin(), is_in_equations.end(), std::uint8_t{1}));
    ParityEquations equations(signs.count());
    for (const Index i : entries) {
      if (equations.independent() + signs.harmless() >= rows) break;
      if (size[i] >= level) equations.add(signs.of_entry(i));
    }
    if (equations.independent() + signs.harmless() < rows) return false;
  }
  return true;
}

}  // namespace sunder::robust
