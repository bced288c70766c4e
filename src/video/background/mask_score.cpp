#include "sunder/video/mask_score.hpp"

#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// Returns 2 hits / (found + wanted), or 1 where nothing is wanted and nothing was found.
double f_of(Index hits, Index found, Index wanted) {
  if (found + wanted == 0) return 1;
  return 2 * static_cast<double>(hits) / static_cast<double>(found + wanted);
}

double ratio(Index part, Index whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void MaskScorer::add(std::span<const std::uint8_t> mask, std::span<const TruthLabel> truth) {
  if (mask.size() != truth.size()) {
    throw InputError("a mask and the truth of its frame differ in size");
  }
  Index hits = 0;
  Index found = 0;
  Index wanted = 0;
  for (std::size_t p = 0; p < mask.size(); ++p) {
    if (truth[p] == TruthLabel::ignored) continue;
    const bool is_object = truth[p] == TruthLabel::object;
    found += mask[p] != 0 ? 1 : 0;
    wanted += is_object ? 1 : 0;
    hits += mask[p] != 0 && is_object ? 1 : 0;
  }
  hits_ += hits;
  found_ += found;
  wanted_ += wanted;
  sum_of_f_ += f_of(hits, found, wanted);
  ++frames_;
}

MaskScore MaskScorer::score() const {
  MaskScore score;
  score.precision = ratio(hits_, found_);
  score.recall = ratio(hits_, wanted_);
  score.f = f_of(hits_, found_, wanted_);
  score.mean_f = frames_ == 0 ? 0 : sum_of_f_ / static_cast<double>(frames_);
  score.frames = frames_;
  return score;
}

}  // namespace sunder
