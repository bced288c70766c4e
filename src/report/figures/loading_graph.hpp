#pragma once
/// The graph of a linear Bayesian network: which hidden variable acts on which observed one, and
/// which observed ones have correlated noise.

#include <string>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

/// Hidden variables on the left, observed ones on the right, beside the hidden one that acts on
/// them most. Lines are as wide as the loading is large, and dashed where it is negative; those
/// below `least` of the largest of their column are left out.
std::string loading_graph_svg(const CpModel& low_rank, double least = 0.3);

/// The same for graph programs, with every loading, and an edge between observed variables for each
/// pair with correlated noise in some network, with the number of those networks.
std::string loading_graph_graphml(const CpModel& low_rank, const SparseTensor& noise);

}  // namespace sunder
