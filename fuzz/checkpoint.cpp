// Checkpoints: the file, and (with a checksum that is right) the journal of the solver in it.
#include "algorithms/run/journal.hpp"
#include "fuzz.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/checkpoint_folder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sunder;
  static const fuzz::Scratch scratch;
  scratch.file("checkpoint", {data, size});
  fuzz::expect_answer_or_error([&] {
    CheckpointFolder(scratch.path(), {{"--rank", "1"}}, {.resume = true});
  });
  const auto* const bytes = reinterpret_cast<const std::byte*>(data);
  KnownState keeper(std::vector<std::byte>(bytes, bytes + size));
  return fuzz::expect_answer_or_error([&] {
    const SerialCommunicator alone;
    Journal journal(&keeper, alone);
  });
}
