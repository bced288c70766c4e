#pragma once
/// Moving objects before a background that stays. The model is robust and of rank one on pixels x
/// time, one image times a gain for each frame; objects are decided in blocks
/// (docs/methods/video.md):
///
///     P1  start   find, for each pixel, the shortest interval that holds 40% of its samples
///     P2  model   estimate the gain of each frame, the energy of 5 x 5 neighbourhoods, and mean
///     and
///                 noise where no object is near
///     P3  mask    compute the energy again, drop small objects and fill small holes
///
/// All levels are grey levels of an 8-bit range, whatever the bits of the frames.

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
  double least_noise = 5;         ///< the noise is taken to be at least this, in grey levels
  double most_noise = 40;         ///< and at most this
  double saturation = 25;         ///< the most energy that a single pixel can have
  double threshold = 10.5;        ///< 5 x 5 pixels with this mean energy or more are an object
  double smallest_object = 5e-4;  ///< smaller objects are dropped; a share of the frame
  double largest_hole = 2e-3;     ///< smaller holes are filled; a share of the frame
  int warm_up = 25;               ///< the number of frames that a stream starts from
  int memory = 100;               ///< a stream forgets after this many frames
  Alignment alignment = Alignment::automatic;
  int threads = 1;  ///< 0: all processors
};

/// What was decided about a frame.
struct FrameDecision {
  std::vector<std::uint8_t> mask;  ///< height x width, 255 = object, 0 = background
  double gain = 1;                 ///< brightness of the frame over that of the background image
  double object_share = 0;         ///< the share of the pixels that are objects
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

  /// Runs P1 and P2 on these frames.
  void learn(std::span<const Frame> frames);

  /// Runs P3.
  FrameDecision decide(const Frame& frame);

  /// Returns what a frame would show without objects: the gain times the image.
  Frame background(const FrameDecision& decision) const;

  const FrameFormat& format() const;

  struct State;

 private:
  friend class BackgroundStream;
  std::unique_ptr<State> state_;
};

/// The same model frame by frame: it starts from the first frames and then follows the clip.
class BackgroundStream {
 public:
  BackgroundStream(const FrameFormat& format, const BackgroundOptions& options);
  /// Continues from a model that was learned elsewhere; there is no warm-up.
  BackgroundStream(BackgroundModel model, const BackgroundOptions& options);
  ~BackgroundStream();
  BackgroundStream(BackgroundStream&&) noexcept;
  BackgroundStream& operator=(BackgroundStream&&) noexcept;

  /// Returns the frames that can now be judged: none while the model warms up, all frames so far at
  /// the end of the warm-up, and then the frame itself each time.
  std::vector<JudgedFrame> push(Frame frame);

  /// Judges the frames of a clip that ended before the warm-up did.
  std::vector<JudgedFrame> finish();

  bool warming_up() const;
  Index frames_seen() const;
  Frame background(const FrameDecision& decision) const;
  const FrameFormat& format() const;

  /// Saves everything that later decisions depend on. Throws OutputError.
  void save(const std::filesystem::path& file) const;
  /// Throws InputError for a file that is damaged, or of another version.
  static BackgroundStream load(const std::filesystem::path& file, int threads = 1);

 private:
  struct State;
  explicit BackgroundStream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sunder
