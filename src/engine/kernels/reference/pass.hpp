#pragma once
/// The definition of a pass, entry by entry, in double precision: the oracle for anything faster.

#include "engine/pass/pass.hpp"

namespace sunder::reference {

PassResult pass(const TensorView& tensor, const PassRequest& request);

}  // namespace sunder::reference
