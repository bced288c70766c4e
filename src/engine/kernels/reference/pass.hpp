#pragma once
/// The definition of a pass, entry by entry, in double precision. It is the oracle for the kernels.

#include "engine/pass/pass.hpp"

namespace sunder::reference {

PassResult pass(const TensorView& tensor, const PassRequest& request);

}  // namespace sunder::reference
