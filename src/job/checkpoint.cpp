#include "job/checkpoint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/files/state_file.hpp"
#include "engine/gather/gather.hpp"
#include "job/first_process.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/option_name.hpp"

namespace sunder {

namespace {

bool wanted(const DecomposeJob& job) { return !job.checkpoint.empty() || !job.resume.empty(); }

/// What changes the result: the program, the tensor and the options. Memory, threads and processes
/// change no bit, and are left out.
RunIdentity identity_of(const DecomposeJob& job, const Method& method, const Source& tensor,
                        const std::string& contents) {
  RunIdentity identity = {{option_name("method"), job.method},
                          {option_name("rank"), job.rank == 0 ? "auto" : std::to_string(job.rank)},
                          {option_name("seed"), std::to_string(job.seed)},
                          {option_name("group"), fmt::format("{}", fmt::join(job.group, ","))}};
  for (const MethodOption& option : method.options()) {
    identity.emplace_back(option_name(option.name), option.value);
  }
  identity.emplace_back("the version of sunder", SUNDER_VERSION);
  identity.emplace_back("the shape", to_string(tensor.shape()));
  identity.emplace_back("the type", to_string(tensor.type()));
  identity.emplace_back("the fingerprint of the tensor", contents);
  return identity;
}

/// What the first process found in its folder, as all processes need it to go on alike.
std::vector<std::byte> kept_by_first(const StateKeeper* folder, const Communicator& processes) {
  std::string text;
  if (folder != nullptr) {
    for (const std::byte byte : folder->kept()) text.push_back(static_cast<char>(byte));
  }
  text = text_of_first(processes, text);
  std::vector<std::byte> kept;
  for (const char byte : text) kept.push_back(static_cast<std::byte>(byte));
  return kept;
}

}  // namespace

void check_checkpoint_options(const DecomposeJob& job, const Method& method) {
  if (!wanted(job)) return;
  if (!job.checkpoint.empty() && !job.resume.empty()) {
    throw OptionError(
        "`checkpoint` begins a run and `resume` goes on with one, in the same folder: give one of "
        "them");
  }
  if (!(job.checkpoint_interval >= 0)) {
    throw OptionError(
        fmt::format("`checkpoint-interval` must be 0 or more, but is {}", job.checkpoint_interval));
  }
  if (method.keeps_state()) return;
  throw OptionError(
      fmt::format("{} keeps no checkpoints: leave out `checkpoint` and `resume`, or use robust-cp",
                  method.name()));
}

std::unique_ptr<StateKeeper> open_checkpoint(const DecomposeJob& job, const Method& method,
                                             Source& tensor, const Communicator& processes) {
  if (!wanted(job)) return nullptr;
  const std::string contents = fingerprint(tensor, processes);
  std::unique_ptr<CheckpointFolder> folder;
  processes.together([&] {
    if (processes.rank() != 0) return;
    const bool resume = !job.resume.empty();
    folder = std::make_unique<CheckpointFolder>(
        resume ? job.resume : job.checkpoint, identity_of(job, method, tensor, contents),
        CheckpointFolder::Options{
            .resume = resume,
            .force = job.force,
            .interval = std::chrono::duration<double>(job.checkpoint_interval)});
  });
  if (folder && !folder->warning().empty() && job.on_warning) job.on_warning(folder->warning());
  if (processes.size() == 1) return folder;
  std::vector<std::byte> kept = kept_by_first(folder.get(), processes);
  if (folder) return folder;
  return std::make_unique<KnownState>(std::move(kept));
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

}  // namespace sunder
