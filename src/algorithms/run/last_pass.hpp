#pragma once
/// How a method ends that holds L but not S.

#include "engine/engine.hpp"
#include "sunder/algorithms/decomposition.hpp"

namespace sunder {

/// S = HT_zeta(T - L) of the result's own L, with its count and norm, by one pass. Listed only if
/// `collect`.
void find_sparse(Engine& engine, double zeta, bool collect, Decomposition& result);

}  // namespace sunder
