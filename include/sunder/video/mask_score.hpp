#pragma once
/// How well masks agree with masks made by hand.

#include <cstdint>
#include <span>

#include "sunder/core/shape.hpp"

namespace sunder {

struct MaskScore {
  double precision = 0;  ///< over all pixels together
  double recall = 0;     ///< over all pixels together
  double f = 0;          ///< over all pixels together: 2 hits / (found + wanted)
  double mean_f = 0;     ///< mean over the frames of each frame's own F
  Index frames = 0;
};

/// The label of a pixel of the truth.
enum class TruthLabel : std::uint8_t { background, object, ignored };

class MaskScorer {
 public:
  /// Adds the pixels of one frame. A pixel of the mask is an object where it is not 0.
  void add(std::span<const std::uint8_t> mask, std::span<const TruthLabel> truth);
  /// A frame with nothing found and nothing to find counts as 1.
  MaskScore score() const;

 private:
  Index hits_ = 0;
  Index found_ = 0;
  Index wanted_ = 0;
  double sum_of_f_ = 0;
  Index frames_ = 0;
};

}  // namespace sunder
