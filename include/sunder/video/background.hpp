#pragma once
/// Moving objects before a background that stays: a robust model of rank one on pixels x time, one
/// image times a gain for each frame, and block-sparse decisions (docs/methods/video.md).
///
///     P1  start   per pixel the shortest interval that holds 40% of its samples
///     P2  model   gain of each frame; energy of 5 x 5 neighbourhoods; mean and noise where no
///                 object is near
///     P3  mask    energy again; small objects dropped, small holes filled
///
/// Everything is in grey levels of an 8-bit range, whatever the bits of the frames.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "sunder/video/frame.hpp"

namespace sunder {

/// By how many pixels a frame has moved, down and to the right.
struct Shift {
  double y = 0;
  double x = 0;
};

enum class Alignment {
  automatic,  ///< frames are aligned where the camera shakes
  off,
};

struct BackgroundOptions {
  double interval = 0.4;          ///< share of a pixel's samples that the background must have
  double least_noise = 5;         ///< noise is taken for no smaller, grey levels
  double most_noise = 40;         ///< and no larger
  double saturation = 25;         ///< energy that a single pixel can have at most
  double threshold = 10.5;        ///< mean energy of 5 x 5 pixels from which they are an object
  double smallest_object = 5e-4;  ///< share of the frame
  double largest_hole = 2e-3;     ///< share of the frame
  int warm_up = 25;               ///< frames that a stream is started from
  int memory = 100;               ///< frames after which a stream forgets
  Alignment alignment = Alignment::automatic;
  int threads = 1;  ///< 0: all processors
};

/// One frame judged.
struct FrameDecision {
  std::vector<std::uint8_t> mask;  ///< height x width, 255 = object, 0 = background
  double gain = 1;                 ///< brightness of the frame over that of the background image
  double object_share = 0;         ///< of the pixels
  Shift shift;                     ///< of the camera; 0 unless it shakes
};

/// A frame with its decision.
struct JudgedFrame {
  Frame frame;
  FrameDecision decision;
};

/// An image of the background, its noise, and the decision about a frame.
class BackgroundModel {
 public:
  BackgroundModel(const FrameFormat& format, const BackgroundOptions& options);
  ~BackgroundModel();
  BackgroundModel(BackgroundModel&&) noexcept;
  BackgroundModel& operator=(BackgroundModel&&) noexcept;

  /// P1 and P2 on these frames.
  void learn(std::span<const Frame> frames);

  /// P3.
  FrameDecision decide(const Frame& frame);

  /// What a frame would show without objects: gain times the image.
  Frame background(const FrameDecision& decision) const;

  const FrameFormat& format() const;

  struct State;

 private:
  friend class BackgroundStream;
  std::unique_ptr<State> state_;
};

/// The same, frame by frame: the model is started from the first frames and follows the clip.
class BackgroundStream {
 public:
  BackgroundStream(const FrameFormat& format, const BackgroundOptions& options);
  /// Goes on from a model that was learned elsewhere; there is no warm-up.
  BackgroundStream(BackgroundModel model, const BackgroundOptions& options);
  ~BackgroundStream();
  BackgroundStream(BackgroundStream&&) noexcept;
  BackgroundStream& operator=(BackgroundStream&&) noexcept;

  /// The frames that this one makes it possible to judge: none while the model warms up, all so far
  /// when it has, then the frame itself.
  std::vector<JudgedFrame> push(Frame frame);

  /// At the end of a clip shorter than the warm-up: its frames.
  std::vector<JudgedFrame> finish();

  bool warming_up() const;
  Index frames_seen() const;
  Frame background(const FrameDecision& decision) const;
  const FrameFormat& format() const;

  /// Everything that later decisions depend on. Throws OutputError.
  void save(const std::filesystem::path& file) const;
  /// Throws InputError for a file that is damaged, or of another version.
  static BackgroundStream load(const std::filesystem::path& file, int threads = 1);

 private:
  struct State;
  explicit BackgroundStream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sunder
