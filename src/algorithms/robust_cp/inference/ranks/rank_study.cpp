#include "algorithms/robust_cp/inference/ranks/rank_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "algorithms/robust_cp/core/core_statistics.hpp"
#include "algorithms/robust_cp/levels/inference.hpp"

namespace sunder::robust {

namespace limits = levels::inference;

namespace {

/// Whether core consistency speaks against a rank.
bool objects(const RankRecord& record) {
  return record.rank > 1 && record.consistency < limits::least_consistency;
}

class Study {
 public:
  Study(const DenseCore& part, const RankStudyOptions& options, Rng& rng, Monitor& monitor)
      : part_(part),
        options_(options),
        fitter_(part, options.constraints, options.all, rng, monitor) {
    most_ = options.most;
    while (most_ > 1 && limits::entries_per_unknown * fitter_.unknowns(most_) > fitter_.entries()) {
      --most_;
    }
  }

  StudiedRanks run() {
    ascend();
    bisect();
    StudiedRanks studied;
    for (const auto& [rank, found] : fits_) studied.study.records.push_back(found.record);
    recommend(*std::min_element(part_.shape.begin(), part_.shape.end()), studied.study);
    const double unit = spread(part_, thinned(informative(part_)));
    const RankFit& best = fits_.at(best_rank());
    studied.noise = unit > 0 ? best.record.sigma / unit : 0;
    studied.is_bounded = has_cap() || best_rank() < most_;
    return studied;
  }

 private:
  /// Ranks 1, 2, ..., then in growing steps, until the description no longer becomes shorter by
  /// components that are no blocks, or core consistency objects.
  void ascend() {
    double shortest = std::numeric_limits<double>::infinity();
    int most_components = 0;
    int since = 0;
    for (int rank = 1; rank <= most_ && since < limits::patience; rank = after(rank)) {
      const RankRecord& record = add(rank).record;
      const int components = std::max(1, rank - record.boxes);
      const bool is_shorter = record.description < shortest;
      since = is_shorter && components > most_components ? 0 : since + 1;
      if (since == 0) most_components = components;
      shortest = std::min(shortest, record.description);
      if (has_cap() && !(options_.all && since == 0 && !capped_before_)) break;
      capped_before_ = has_cap();
    }
  }

  static int after(int rank) {
    if (rank < limits::every_rank) return rank + 1;
    return static_cast<int>(std::ceil(limits::rank_grows * rank));
  }

  /// The ranks beside the best one, where steps were larger than one.
  void bisect() {
    for (bool found = true; found;) {
      found = false;
      const int best = best_rank();
      const auto at = fits_.find(best);
      const int below = at == fits_.begin() ? 0 : std::prev(at)->first;
      const int above = std::next(at) == fits_.end() ? best + 1 : std::next(at)->first;
      for (const auto& [low, high] : {std::pair{below, best}, std::pair{best, above}}) {
        if (high - low <= 1) continue;
        add((low + high) / 2);
        found = true;
        break;
      }
    }
  }

  const RankFit& add(int rank) {
    const auto next = fits_.lower_bound(rank);
    const RankFit* smaller = next == fits_.begin() ? nullptr : &std::prev(next)->second;
    return fits_.emplace(rank, fitter_.fit(rank, smaller)).first->second;
  }

  bool has_cap() const {
    return std::ranges::any_of(fits_, [](const auto& f) { return objects(f.second.record); });
  }

  /// The shortest description below the first objection.
  int best_rank() const {
    int best = fits_.begin()->first;
    for (const auto& [rank, found] : fits_) {
      if (objects(found.record)) break;
      if (found.record.description < fits_.at(best).record.description) best = rank;
    }
    return best;
  }

  const DenseCore& part_;
  const RankStudyOptions& options_;
  RankFitter fitter_;
  int most_ = 1;
  bool capped_before_ = false;
  std::map<int, RankFit> fits_;
};

std::string counted_boxes(int boxes) {
  if (boxes == 0) return "";
  return boxes == 1 ? "; one of them is a block of errors and does not count"
                    : fmt::format("; {} of them are blocks of errors and do not count", boxes);
}

}  // namespace

void recommend(Index shortest, RankStudy& study) {
  const std::vector<RankRecord>& records = study.records;
  std::size_t end = 0;  // of the records that core consistency leaves
  while (end < records.size() && !objects(records[end])) ++end;
  std::size_t best = 0;
  for (std::size_t k = 0; k < end; ++k) {
    if (records[k].description < records[best].description) best = k;
  }
  bool starts_disagree = false;
  while (best > 0 && records[best].rank > shortest &&
         !(records[best].agreement > limits::starts_agree)) {
    --best;
    starts_disagree = true;
  }
  const RankRecord& chosen = records[best];
  study.recommended = std::max(1, chosen.rank - chosen.boxes);
  const bool capped =
      end < records.size() && records[end].description < chosen.description && best + 1 == end;
  if (starts_disagree) {
    study.reason = fmt::format("{} is the largest rank at which two starts agree", chosen.rank);
  } else if (capped) {
    study.reason = fmt::format(
        "More components would describe the data more shortly, but at {} of them core consistency "
        "falls to {:.0f}%",
        records[end].rank, records[end].consistency);
  } else {
    study.reason = fmt::format("With {} component{} the description of the data is shortest",
                               chosen.rank, chosen.rank == 1 ? "" : "s");
  }
  study.reason += counted_boxes(chosen.boxes) + ".";
}

StudiedRanks study_ranks(const DenseCore& part, const RankStudyOptions& options, Rng& rng,
                         Monitor& monitor) {
  const auto start = std::chrono::steady_clock::now();
  StudiedRanks studied = Study(part, options, rng, monitor).run();
  for (RankRecord& record : studied.study.records) {
    const double shift = options.nats_of_unit;
    record.nats += shift;
    record.held_out += shift;
    record.sigma *= std::exp(shift);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  studied.study.seconds = taken.count();
  return studied;
}

}  // namespace sunder::robust
