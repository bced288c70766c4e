#include "cli/decompose/checkpoint.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <bit>

#include "cli/processes.hpp"
#include "core/state_file.hpp"
#include "engine/gather/gather.hpp"
#include "sunder/core/error.hpp"

namespace sunder::cli {

void CheckpointFlags::add_flags(CLI::App& command) {
  command
      .add_option("--checkpoint", begin_,
                  "folder to keep the state of the work in, to go on after an interruption")
      ->type_name("FOLDER");
  command
      .add_option("--resume", resume_,
                  "go on from the checkpoint in this folder, with the same tensor and options, and "
                  "keep the state there")
      ->type_name("FOLDER");
  command
      .add_option("--checkpoint-interval", interval_,
                  "seconds between two checkpoints at least; 0: after every step")
      ->capture_default_str()
      ->type_name("SECONDS");
}

void CheckpointFlags::check(const Method& method) const {
  if (!wanted()) return;
  if (!begin_.empty() && !resume_.empty()) {
    throw OptionError(
        "--checkpoint begins a run and --resume goes on with one, in the same folder: give one of "
        "them");
  }
  if (!(interval_ >= 0)) {
    throw OptionError(fmt::format("--checkpoint-interval must be 0 or more, but is {}", interval_));
  }
  if (method.keeps_state()) return;
  throw OptionError(
      fmt::format("{} keeps no checkpoints: leave out --checkpoint and --resume, or use robust-cp",
                  method.name()));
}

std::unique_ptr<StateKeeper> CheckpointFlags::open(RunIdentity identity, Source& tensor,
                                                   const Communicator& processes, const Talk& talk,
                                                   bool force) const {
  if (!wanted()) return nullptr;
  const std::string contents = fingerprint(tensor, processes);
  std::unique_ptr<CheckpointFolder> folder;
  processes.together([&] {
    if (processes.rank() != 0) return;
    identity.emplace_back("the version of sunder", SUNDER_VERSION);
    identity.emplace_back("the shape", to_string(tensor.shape()));
    identity.emplace_back("the type", to_string(tensor.type()));
    identity.emplace_back("the fingerprint of the tensor", contents);
    folder = std::make_unique<CheckpointFolder>(
        this->folder(), std::move(identity),
        CheckpointFolder::Options{.resume = !resume_.empty(),
                                  .force = force,
                                  .interval = std::chrono::duration<double>(interval_)});
  });
  if (folder && !folder->warning().empty() && !talk.quiet) {
    fmt::print(stderr, "sunder: {}\n", folder->warning());
  }
  if (processes.size() == 1) return folder;
  std::string text;
  if (folder) {
    for (const std::byte byte : folder->kept()) text.push_back(static_cast<char>(byte));
  }
  text = text_of_first(processes, text);
  if (folder) return folder;
  std::vector<std::byte> kept;
  for (const char byte : text) kept.push_back(static_cast<std::byte>(byte));
  return std::make_unique<KnownState>(std::move(kept));
}

void CheckpointFlags::throw_cancelled() const {
  if (!wanted()) throw Cancelled();
  throw Cancelled(
      fmt::format("interrupted; the checkpoint is kept: go on with --resume {}", folder()));
}

std::string fingerprint(Source& tensor, const Communicator& processes) {
  constexpr Index most = 4096;
  const Index entries = tensor.shape().entries();
  const Index count = std::min(entries, most);
  std::vector<ModeIndices> places;
  for (Index k = 0; k < count; ++k) {
    places.push_back(tensor.shape().unravel(entries / count * k + entries % count * k / count));
  }
  std::vector<double> values = gather_entries(tensor, processes, places);
  for (double& x : values) {
    if (std::isnan(x)) x = std::numeric_limits<double>::quiet_NaN();  // there are many
  }
  const auto bytes = std::as_bytes(std::span(values));
  return fmt::format("{:016x}", checksum(bytes.data(), bytes.size()));
}

}  // namespace sunder::cli
