#pragma once
/// Ghosts: places where the background image still shows something that has gone.
///
/// A stream that began with a person in view has them in its background; when they walk off, the
/// place they leave looks like an object that stands still. So does, in truth, a person who comes
/// and stands still. The two differ at the contour: the image of a ghost stands out from its
/// surroundings, and what is seen now does not.

#include <cstdint>
#include <span>
#include <vector>

#include "sunder/video/frame.hpp"
#include "video/background/background_state.hpp"

namespace sunder {

/// Replaces the background where the latest `frames`, of these gains, say that it is a ghost. It
/// looks from pixels whose `presence`, the share of the latest frames in which they were part of an
/// object, is above one half. Returns how many pixels were replaced.
Index remove_ghosts(BackgroundModel::State& model, std::span<const Frame> frames,
                    std::span<const double> gains, std::span<const float> presence);

}  // namespace sunder
