#pragma once
/// The processes that mpirun, srun and the like have started for one command.

#include <memory>

#include "sunder/core/communicator.hpp"

namespace sunder::cli {

/// Return what the launcher reports; 0, 1 and 1 without a launcher.
int launched_rank();
int launched_size();
int launched_on_this_machine();

/// The processes of this command; this one alone without a launcher. Throws OptionError if there
/// are several and the program was built without MPI.
std::shared_ptr<const Communicator> all_processes();

}  // namespace sunder::cli
