#include "algorithms/robust_cp/consensus/components/dense_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "algorithms/robust_cp/levels/search.hpp"

namespace sunder::robust {

namespace {

namespace limits = levels::boxes;

struct Counts {
  std::vector<double> sparse;  ///< for each row of a mode
  std::vector<double> known;
};

/// log of n choose k.
double log_choices(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

/// Kullback-Leibler divergence of one coin from another.
double divergence(double p, double q) {
  const auto term = [](double a, double b) { return a > 0 ? a * std::log(a / b) : 0.0; };
  return term(p, q) + term(1 - p, 1 - q);
}

class BoxSearch {
 public:
  BoxSearch(const SparseMarks& marks, Rng& rng) : marks_(marks), rng_(rng) {
    double known = 0;
    double sparse = 0;
    for (Index i = 0; i < marks.shape.entries(); ++i) {
      if (!marks.is_known(i)) continue;
      known += 1;
      if (marks.sparse[i] != 0) {
        sparse += 1;
        positions_.push_back(i);
      }
    }
    density_ = known > 0 ? sparse / known : 0;
  }

  std::vector<Box> run() {
    std::vector<Box> found;
    if (positions_.size() < limits::fewest_entries) return found;
    const double middle = std::max(limits::least_density, (1 + density_) / 2);
    for (const double bar : {middle, std::max(middle, limits::high_density)}) {
      for (const IndexSets& start : starts()) {
        std::optional<Box> box = settle(start, bar);
        if (box && box->surprising() && !std::ranges::any_of(found, [&](const Box& other) {
              return other.sets == box->sets;
            })) {
          found.push_back(std::move(*box));
        }
      }
      if (bar == std::max(middle, limits::high_density)) break;
    }
    std::ranges::sort(found, std::greater{}, &Box::nats);
    if (found.size() > limits::most) found.resize(limits::most);
    return found;
  }

 private:
  int order() const { return marks_.shape.order(); }

  IndexSets everything() const { return whole(marks_.shape).sets; }

  /// Rows with many entries of S, and the fibres through entries of S.
  std::vector<IndexSets> starts() {
    std::vector<IndexSets> result;
    const IndexSets all = everything();
    IndexSets above_mean(order());
    IndexSets near_top(order());
    for (int m = 0; m < order(); ++m) {
      const Counts counts = counts_of_rows(all, m);
      std::vector<double> share(counts.sparse.size());
      double mean = 0;
      double top = 0;
      for (std::size_t i = 0; i < share.size(); ++i) {
        share[i] = counts.sparse[i] / std::max(counts.known[i], 1.0);
        mean += share[i] / static_cast<double>(share.size());
        top = std::max(top, share[i]);
      }
      for (std::size_t i = 0; i < share.size(); ++i) {
        if (share[i] >= mean) above_mean[m].push_back(static_cast<Index>(i));
        if (share[i] >= limits::near_top * top) near_top[m].push_back(static_cast<Index>(i));
      }
    }
    result.push_back(std::move(above_mean));
    result.push_back(std::move(near_top));
    for (const Index position : promising_positions()) result.push_back(fibres_through(position));
    return result;
  }

  /// Entries of S whose fibres hold many others, among those drawn.
  std::vector<Index> promising_positions() {
    std::vector<std::pair<Index, Index>> drawn;  // entries in the fibres, position
    for (int k = 0; k < limits::drawn_positions; ++k) {
      const Index position = positions_[rng_.below(positions_.size())];
      Index count = 0;
      for (const auto& set : fibres_through(position)) count += std::ssize(set);
      drawn.emplace_back(-count, position);
    }
    std::ranges::sort(drawn);
    const auto repeated = std::ranges::unique(drawn);
    drawn.erase(repeated.begin(), repeated.end());
    std::vector<Index> best;
    for (std::size_t k = 0; k < std::min(drawn.size(), limits::fibre_starts); ++k) {
      best.push_back(drawn[k].second);
    }
    // Errors may have the fuller fibres, so that others have their chance.
    for (int k = 0; k < limits::random_starts; ++k) {
      best.push_back(positions_[rng_.below(positions_.size())]);
    }
    return best;
  }

  IndexSets fibres_through(Index position) const {
    const ModeIndices at = marks_.shape.unravel(position);
    IndexSets sets(order());
    for (int m = 0; m < order(); ++m) {
      ModeIndices index = at;
      for (Index i = 0; i < marks_.shape[m]; ++i) {
        index[m] = i;
        if (marks_.sparse[marks_.shape.linear(index)] != 0) sets[m].push_back(i);
      }
    }
    return sets;
  }

  /// The positions of a box with row 0 of one mode; at most so many, drawn if there are more.
  std::vector<Index> positions_of(const IndexSets& sets, int mode) {
    double volume = 1;
    for (int m = 0; m < order(); ++m) {
      if (m != mode) volume *= static_cast<double>(sets[m].size());
    }
    std::vector<Index> result;
    if (volume <= static_cast<double>(limits::positions_at_once)) {
      result.push_back(0);
      for (int m = 0; m < order(); ++m) {
        if (m == mode) continue;
        std::vector<Index> longer;
        longer.reserve(result.size() * sets[m].size());
        for (const Index base : result) {
          for (const Index i : sets[m]) longer.push_back(base + i * stride(m));
        }
        result = std::move(longer);
      }
      return result;
    }
    for (Index k = 0; k < limits::positions_at_once; ++k) {
      Index position = 0;
      for (int m = 0; m < order(); ++m) {
        if (m != mode) position += sets[m][rng_.below(sets[m].size())] * stride(m);
      }
      result.push_back(position);
    }
    return result;
  }

  Index stride(int mode) const {
    Index stride = 1;
    for (int m = mode + 1; m < order(); ++m) stride *= marks_.shape[m];
    return stride;
  }

  Counts counts_of_rows(const IndexSets& sets, int mode) {
    const std::vector<Index> positions = positions_of(sets, mode);
    const Index step = stride(mode);
    Counts counts;
    for (Index i = 0; i < marks_.shape[mode]; ++i) {
      Index sparse = 0;
      Index known = 0;
      if (marks_.known.empty()) {
        for (const Index p : positions) sparse += marks_.sparse[p + i * step];
        known = std::ssize(positions);
      } else {
        for (const Index p : positions) {
          sparse += marks_.sparse[p + i * step];
          known += marks_.known[p + i * step];
        }
      }
      counts.sparse.push_back(static_cast<double>(sparse));
      counts.known.push_back(static_cast<double>(known));
    }
    return counts;
  }

  /// Whether a component on it would be overdetermined: it may be a part of one slice, but not of a
  /// fibre.
  static bool is_wide(const IndexSets& sets) {
    int wide = 0;
    for (const auto& set : sets) {
      if (set.empty()) return false;
      wide += set.size() > 1 ? 1 : 0;
    }
    return wide > 1;
  }

  /// Chooses the rows of each mode in turn whose share of S in the box is above a bar, which rises
  /// from the density of the box to `bar`, until nothing changes.
  std::optional<Box> settle(IndexSets sets, double bar) {
    if (!is_wide(sets)) return std::nullopt;
    for (int round = 0; round < limits::rounds; ++round) {
      const IndexSets before = sets;
      for (int m = 0; m < order(); ++m) {
        const Counts counts = counts_of_rows(sets, m);
        double inside = 0;
        double known = 0;
        for (const Index i : sets[m]) {
          inside += counts.sparse[i];
          known += counts.known[i];
        }
        double top = 0;
        std::vector<double> share(counts.sparse.size());
        for (std::size_t i = 0; i < share.size(); ++i) {
          share[i] = counts.sparse[i] / std::max(counts.known[i], 1.0);
          top = std::max(top, share[i]);
        }
        const double least = std::min(bar, (inside / std::max(known, 1.0) + top) / 2);
        sets[m].clear();
        for (std::size_t i = 0; i < share.size(); ++i) {
          if (share[i] >= least && counts.known[i] > 0) sets[m].push_back(static_cast<Index>(i));
        }
        if (!is_wide(sets)) return std::nullopt;
      }
      if (round > limits::rising_rounds && sets == before) break;
    }
    return measured(std::move(sets));
  }

  Box measured(IndexSets sets) {
    Box box;
    const std::vector<Index> positions = positions_of(sets, 0);
    double sparse = 0;
    double known = 0;
    for (const Index i : sets[0]) {
      for (const Index p : positions) {
        sparse += marks_.sparse[p + i * stride(0)];
        known += marks_.is_known(p + i * stride(0)) ? 1 : 0;
      }
    }
    double volume = 1;
    double choices = 0;
    for (int m = 0; m < order(); ++m) {
      const auto extent = static_cast<double>(marks_.shape[m]);
      const auto chosen = static_cast<double>(sets[m].size());
      volume *= chosen;
      choices += log_choices(extent, chosen);
    }
    const double share = sparse / std::max(known, 1.0);
    const double sampled = static_cast<double>(positions.size() * sets[0].size());
    box.sparse = static_cast<Index>(sparse / sampled * volume);
    box.known = static_cast<Index>(known / sampled * volume);
    const double others = std::min(density_, limits::most_density);
    const auto nats = [&](double usual) {
      return share > usual ? static_cast<double>(box.known) * divergence(share, usual) - choices -
                                 limits::accident
                           : 0;
    };
    box.nats = nats(others);
    box.nats_in_slices = nats(std::clamp(density_of_slices(sets), others, limits::most_density));
    box.sets = std::move(sets);
    return box;
  }

  /// The share of S in the slices of a box, in the mode where they hold most.
  double density_of_slices(const IndexSets& sets) {
    if (slice_shares_.empty()) {
      const IndexSets all = everything();
      for (int m = 0; m < order(); ++m) {
        const Counts counts = counts_of_rows(all, m);
        std::vector<double>& shares = slice_shares_.emplace_back();
        for (std::size_t i = 0; i < counts.sparse.size(); ++i) {
          shares.push_back(counts.sparse[i] / std::max(counts.known[i], 1.0));
        }
      }
    }
    double most = 0;
    for (int m = 0; m < order(); ++m) {
      double sum = 0;
      for (const Index i : sets[m]) sum += slice_shares_[m][i];
      most = std::max(most, sum / static_cast<double>(sets[m].size()));
    }
    return most;
  }

  const SparseMarks& marks_;
  Rng& rng_;
  std::vector<Index> positions_;  ///< of S
  double density_ = 0;
  std::vector<std::vector<double>> slice_shares_;  ///< of S, for each row of each mode
};

}  // namespace

Box whole(const Shape& shape) {
  Box box;
  for (const Index extent : shape) {
    std::vector<Index>& set = box.sets.emplace_back(extent);
    std::iota(set.begin(), set.end(), Index{0});
  }
  return box;
}

std::vector<Box> dense_boxes(const SparseMarks& marks, Rng& rng) {
  return BoxSearch(marks, rng).run();
}

bool has_dense_fibre(const SparseMarks& marks) {
  const double all = marks.known.empty() ? static_cast<double>(marks.shape.entries())
                                         : static_cast<double>(std::ranges::count(marks.known, 1));
  double sparse = 0;
  for (std::size_t i = 0; i < marks.sparse.size(); ++i) {
    sparse += marks.is_known(static_cast<Index>(i)) ? marks.sparse[i] : 0;
  }
  const double density = std::min(sparse / std::max(all, 1.0), limits::most_density);
  for (int mode = 0; mode < marks.shape.order(); ++mode) {
    Index right = 1;
    for (int m = mode + 1; m < marks.shape.order(); ++m) right *= marks.shape[m];
    const Index fibres = marks.shape.entries() / marks.shape[mode];
    const double accident = std::log(static_cast<double>(fibres)) + limits::accident;
    for (Index f = 0; f < fibres; ++f) {
      const Index first = f / right * right * marks.shape[mode] + f % right;
      double inside = 0;
      double known = 0;
      for (Index i = 0; i < marks.shape[mode]; ++i) {
        const Index at = first + i * right;
        if (!marks.is_known(at)) continue;
        known += 1;
        inside += marks.sparse[at];
      }
      const double share = inside / std::max(known, 1.0);
      if (share > density && known * divergence(share, density) > accident) return true;
    }
  }
  return false;
}

}  // namespace sunder::robust
