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
  std::vector<float> presence;  // share of the latest frames in which a pixel was part of an object
  std::vector<Frame> ring;      // some of the latest frames
  std::vector<double> ring_gains;
  int ring_size = 0;
  int next = 0;    // place in the ring of the next frame
  int stride = 1;  // frames from one in the ring to the next
  Index seen = 0;
};

}  // namespace sunder
