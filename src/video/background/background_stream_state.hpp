#pragma once

#include <vector>

#include "sunder/video/background.hpp"
#include "video/background/background_state.hpp"

namespace sunder {

struct BackgroundStream::State {
  State(BackgroundModel started, bool warm);

  FrameDecision judge(const Frame& frame, BackgroundModel::State& core);
  void remember(const Frame& frame, double gain);
  template <class Archive>
  void describe_progress(Archive& archive);

  BackgroundModel model;
  bool warming = true;
  std::vector<Frame> waiting;   // frames of the warm-up
  std::vector<float> presence;  // of objects, in the latest frames, for each pixel
  std::vector<Frame> ring;      // some of the latest frames
  std::vector<double> ring_gains;
  int ring_size = 0;
  int next = 0;    // where the next frame goes
  int stride = 1;  // every so many frames one goes into the ring
  Index seen = 0;
};

}  // namespace sunder
