#pragma once
/// The checkpoint of a job: which run it belongs to, and who keeps it.

#include <memory>
#include <string>

#include "engine/source/source.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/communicator.hpp"
#include "sunder/io/checkpoint_folder.hpp"
#include "sunder/job/decompose_job.hpp"

namespace sunder {

/// Throws OptionError for options of the checkpoint that contradict each other or the method.
void check_checkpoint_options(const DecomposeJob& job, const Method& method);

/// The keeper of this process, null if the job keeps no checkpoint. The first process alone has a
/// folder; the others are told what it holds. Throws as CheckpointFolder does.
std::unique_ptr<StateKeeper> open_checkpoint(const DecomposeJob& job, const Method& method,
                                             Source& tensor, const Communicator& processes);

/// A number that changes with the entries of a tensor, from a few thousand of them spread over it.
/// Each process reads those of its own share, so no process needs the others' entries.
std::string fingerprint(Source& tensor, const Communicator& processes);

}  // namespace sunder
