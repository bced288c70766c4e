/// Greedy cover of a support by full blocks.
///
///   pattern   the indices of a fibre. Where blocks do not overlap, a fibre's pattern is the set
///             psi of its block in that mode, and many fibres share it
///   gain      entries that a block adds to those covered already
///   p         density of what is not covered yet

#include "sunder/theory/block_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>

#include "sunder/core/error.hpp"
#include "theory/block_growth.hpp"
#include "theory/support_index.hpp"

namespace sunder {

Index SupportBlock::cells() const {
  Index product = 1;
  for (const std::vector<Index>& list : indices) product *= std::ssize(list);
  return product;
}

namespace {

// The number of patterns examined before the largest block around them is accepted, and the number
// after which the search gives up.
constexpr std::size_t patterns_at_once = 6;
constexpr std::size_t patterns_at_most = 48;

double log_binomial(Index n, Index k) {
  const auto log_factorial = [](Index m) { return std::lgamma(static_cast<double>(m) + 1); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/// Returns the description length of a block in nats: the number of indices in each mode, and
/// which.
double description_length(const Shape& shape, const SupportBlock& block) {
  double nats = 0;
  for (int mode = 0; mode < shape.order(); ++mode) {
    const auto extent = std::ssize(block.indices[mode]);
    nats += std::log(static_cast<double>(shape[mode])) + log_binomial(shape[mode], extent);
  }
  return nats;
}

/// A pattern of fibres that have entries not covered yet.
struct Candidate {
  int mode = 0;
  Index open_entries = 0;  ///< entries not covered yet, in all fibres with the pattern
  Index first_fibre = -1;
  Index last_fibre = -1;
};

struct CoverStep {
  SupportBlock block;
  Index gain = 0;
};

class BlockCover {
 public:
  BlockCover(const SparseTensor& sparse, const BlockOptions& options)
      : options_(options),
        support_(sparse),
        grower_(support_, options.fill),
        times_covered_(static_cast<std::size_t>(sparse.count()), 0) {}

  void search();
  void drop_redundant();
  BlockStructure result() const;

 private:
  std::vector<Candidate> heaviest_patterns() const;
  std::optional<CoverStep> best_around(std::span<const Candidate> candidates) const;
  std::optional<CoverStep> measured(SupportBlock block) const;
  bool explains(const SupportBlock& block, Index gain, Index covered_without) const;
  template <class Visit>
  void visit_entries(const SupportBlock& block, Visit visit) const;
  void take(CoverStep found);
  void report_progress() const;

  const BlockOptions& options_;
  SupportIndex support_;
  BlockGrower grower_;
  std::vector<int> times_covered_;  ///< one count per entry
  Index covered_ = 0;
  std::vector<SupportBlock> blocks_;
};

template <class Visit>
void BlockCover::visit_entries(const SupportBlock& block, Visit visit) const {
  const BlockMembership membership(support_.shape(), block);
  for (Index entry = 0; entry < support_.count(); ++entry) {
    if (membership.contains(support_, entry)) visit(static_cast<std::size_t>(entry));
  }
}

std::vector<Candidate> BlockCover::heaviest_patterns() const {
  std::vector<Candidate> all;
  for (int mode = 0; mode < support_.order(); ++mode) {
    const ModeFibres& fibres = support_.fibres(mode);
    std::vector<Candidate> of_mode(fibres.patterns);
    for (Index f = 0; f < fibres.count(); ++f) {
      const auto members = fibres.fibre(f);
      const auto open = std::count_if(members.begin(), members.end(),
                                      [&](Index entry) { return times_covered_[entry] == 0; });
      if (open == 0) continue;
      const Index pattern = fibres.pattern_of[f];
      Candidate& candidate = of_mode[pattern];
      candidate.mode = mode;
      candidate.open_entries += open;
      if (candidate.first_fibre < 0) candidate.first_fibre = f;
      candidate.last_fibre = f;
    }
    std::erase_if(of_mode, [](const Candidate& c) { return c.open_entries == 0; });
    all.insert(all.end(), of_mode.begin(), of_mode.end());
  }
  const std::size_t kept = std::min(patterns_at_most, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                    [](const Candidate& a, const Candidate& b) {
                      if (a.open_entries != b.open_entries) return a.open_entries > b.open_entries;
                      if (a.mode != b.mode) return a.mode < b.mode;
                      return a.first_fibre < b.first_fibre;
                    });
  all.resize(kept);
  return all;
}

/// Returns true if a list of scattered entries would be longer than the description of the block.
/// In the list, each of the `gain` entries costs log(1/p).
bool BlockCover::explains(const SupportBlock& block, Index gain, Index covered_without) const {
  const double density = static_cast<double>(support_.count() - covered_without) /
                         static_cast<double>(support_.shape().entries() - covered_without);
  // Only the block is left, and it has no hole: no list is shorter than its description.
  if (density >= 1) return true;
  return -static_cast<double>(gain) * std::log(density) >
         description_length(support_.shape(), block);
}

std::optional<CoverStep> BlockCover::measured(SupportBlock block) const {
  const Index cells = block.cells();
  if (cells == 0) return std::nullopt;
  CoverStep found;
  visit_entries(block, [&](std::size_t entry) {
    ++block.entries;
    found.gain += times_covered_[entry] == 0 ? 1 : 0;
  });
  const bool filled =
      static_cast<double>(block.entries) >= options_.fill * static_cast<double>(cells);
  if (!filled || !explains(block, found.gain, covered_)) return std::nullopt;
  found.block = std::move(block);
  return found;
}

std::optional<CoverStep> BlockCover::best_around(std::span<const Candidate> candidates) const {
  std::optional<CoverStep> best;
  // The patterns of one block in its modes, and its fibres, all lead to the same block.
  std::set<std::vector<std::vector<Index>>> seen;
  for (const Candidate& candidate : candidates) {
    for (const Index fibre : {candidate.first_fibre, candidate.last_fibre}) {
      SupportBlock grown = grower_.grow(candidate.mode, fibre);
      if (!seen.insert(grown.indices).second) continue;
      std::optional<CoverStep> found = measured(grower_.refined(std::move(grown)));
      if (found && (!best || found->gain > best->gain)) best = std::move(found);
      if (candidate.first_fibre == candidate.last_fibre) break;
    }
  }
  return best;
}

void BlockCover::take(CoverStep found) {
  visit_entries(found.block, [&](std::size_t entry) { ++times_covered_[entry]; });
  covered_ += found.gain;
  blocks_.push_back(std::move(found.block));
}

void BlockCover::report_progress() const {
  report_or_throw(
      options_.progress, "looking for blocks",
      static_cast<double>(covered_) / static_cast<double>(std::max<Index>(support_.count(), 1)));
}

void BlockCover::search() {
  while (covered_ < support_.count() && static_cast<int>(blocks_.size()) < options_.max_blocks) {
    report_progress();
    const std::vector<Candidate> candidates = heaviest_patterns();
    std::optional<CoverStep> best;
    for (std::size_t k = 0; k < candidates.size() && !best; k += patterns_at_once) {
      const std::size_t size = std::min(patterns_at_once, candidates.size() - k);
      best = best_around(std::span(candidates).subspan(k, size));
    }
    if (!best) return;
    take(std::move(*best));
  }
}

/// Drops early blocks that consist of pieces of blocks found later.
void BlockCover::drop_redundant() {
  for (auto block = blocks_.begin(); block != blocks_.end();) {
    Index alone = 0;
    visit_entries(*block, [&](std::size_t e) { alone += times_covered_[e] == 1 ? 1 : 0; });
    if (blocks_.size() == 1 || explains(*block, alone, covered_ - alone)) {
      ++block;
      continue;
    }
    visit_entries(*block, [&](std::size_t e) { --times_covered_[e]; });
    covered_ -= alone;
    block = blocks_.erase(block);
  }
}

double largest_overlap(const std::vector<SupportBlock>& blocks, Index extent) {
  std::size_t largest = 0;
  std::vector<Index> common;
  for (auto a = blocks.begin(); a != blocks.end(); ++a) {
    for (auto b = a + 1; b != blocks.end(); ++b) {
      for (std::size_t mode = 0; mode < a->indices.size(); ++mode) {
        common.clear();
        std::ranges::set_intersection(a->indices[mode], b->indices[mode],
                                      std::back_inserter(common));
        largest = std::max(largest, common.size());
      }
    }
  }
  return extent == 0 ? 0 : static_cast<double>(largest) / static_cast<double>(extent);
}

BlockStructure BlockCover::result() const {
  BlockStructure structure;
  structure.blocks = blocks_;
  for (const SupportBlock& block : blocks_) {
    for (const std::vector<Index>& list : block.indices) {
      structure.largest_extent = std::max(structure.largest_extent, std::ssize(list));
    }
  }
  structure.overlap = largest_overlap(blocks_, structure.largest_extent);
  structure.covered = covered_;
  if (support_.count() > 0) {
    structure.coverage = static_cast<double>(covered_) / static_cast<double>(support_.count());
  }
  return structure;
}

}  // namespace

BlockStructure find_blocks(const SparseTensor& sparse, const BlockOptions& options) {
  if (!(options.fill > 0 && options.fill <= 1)) {
    throw OptionError(fmt::format(
        "fill is {}, but it is the share of a block that must be in the support: give a number "
        "above 0 and up to 1",
        options.fill));
  }
  BlockCover cover(sparse, options);
  cover.search();
  cover.drop_redundant();
  return cover.result();
}

}  // namespace sunder
