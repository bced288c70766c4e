// Saved states of streams: the file as it is, and its contents under a header that is right.
#include "core/files/state_file.hpp"
#include "fuzz.hpp"
#include "sunder/algorithms/stream.hpp"
#include "sunder/video/background.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sunder;
  static const fuzz::Scratch scratch;
  const std::string path = scratch.file("state", {data, size});
  const auto load = [&] {
    fuzz::expect_answer_or_error([&] {
      StreamOptions options;
      options.rank = 2;
      RobustCpStream::load(path, Shape{6, 5}, options, 1);
    });
    fuzz::expect_answer_or_error([&] { BackgroundStream::load(path); });
  };
  load();
  std::vector<std::byte> bytes;
  for (std::size_t k = 0; k < size; ++k) bytes.push_back(std::byte{data[k]});
  // As in stream.cpp and background_stream.cpp; a version that differs would only find less.
  for (const StateKind& kind :
       {StateKind{"sunderST", 1, "stream"}, StateKind{"sunderBG", 1, "background"}}) {
    write_state(path, kind, bytes);
    load();
  }
  return 0;
}
