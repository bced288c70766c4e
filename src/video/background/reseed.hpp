#pragma once
/// A ghost is a place where the background image still shows something that has gone.
///
/// A stream that began with a person in view has that person in its background. When the person
/// walks off, the place left behind looks like an object that stands still. A person who comes and
/// stands still looks the same. The two differ at the contour: the image of a ghost stands out from
/// its surroundings, and what is seen now does not.

#include <cstdint>
#include <span>
#include <vector>

#include "sunder/video/frame.hpp"
#include "video/background/background_state.hpp"

namespace sunder {

/// Replaces the background where the latest `frames`, of these gains, say that it is a ghost. The
/// search begins at pixels whose `presence` is above one half; this is the share of the latest
/// frames in which the pixel was part of an object. Returns how many pixels were replaced.
Index remove_ghosts(BackgroundModel::State& model, std::span<const Frame> frames,
                    std::span<const double> gains, std::span<const float> presence);

}  // namespace sunder
