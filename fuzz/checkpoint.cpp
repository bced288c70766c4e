// Checkpoints: the file, and (with a checksum that is right) the journal of the solver in it.
#include "algorithms/robust_cp/journal.hpp"
#include "fuzz.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/checkpoint_folder.hpp"

namespace {

class Given final : public sunder::StateKeeper {
 public:
  explicit Given(std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) kept_.push_back(std::byte{byte});
  }
  const std::vector<std::byte>& kept() const override { return kept_; }
  bool due() const override { return false; }
  void keep(const std::vector<std::byte>&) override {}

 private:
  std::vector<std::byte> kept_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sunder;
  static const fuzz::Scratch scratch;
  scratch.file("checkpoint", {data, size});
  fuzz::expect_answer_or_error([&] {
    CheckpointFolder(scratch.path(), {{"--rank", "1"}}, {.resume = true});
  });
  Given keeper({data, size});
  return fuzz::expect_answer_or_error([&] {
    const SerialCommunicator alone;
    robust::Journal journal(&keeper, alone);
  });
}
