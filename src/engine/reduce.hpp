#pragma once

#include "engine/communicator.hpp"
#include "engine/pass.hpp"

namespace sunder {

/// Adds up what each process found in its own slabs, in place. S stays where it was found: each
/// process lists the entries of its own slabs.
void reduce(const Communicator& communicator, PassResult& result);

}  // namespace sunder
