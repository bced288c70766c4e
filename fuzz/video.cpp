// Video containers through the decoding layer.
#include "fuzz.hpp"
#include "sunder/video/open_frames.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sunder;
  static const fuzz::Scratch scratch;
  const std::string path = scratch.file("clip", {data, size});
  return fuzz::expect_answer_or_error([&] {
    FrameOptions options;
    options.last = 4;
    const auto frames = open_frames(path, options);
    Frame frame;
    while (frames->next(frame)) {
    }
  });
}
