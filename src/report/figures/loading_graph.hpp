#pragma once
/// The graph of a linear Bayesian network: which hidden variables affect which observed ones, and
/// which observed variables have correlated noise.

#include <string>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

/// Draws hidden variables on the left and observed ones on the right, beside the hidden variable
/// with the strongest effect on them. The width of a line shows the size of the loading, and dashes
/// mark negative loadings. Loadings below `least` times the largest of their column are not drawn.
std::string loading_graph_svg(const CpModel& low_rank, double least = 0.3);

/// Writes the same graph for graph programs, with every loading. An edge between two observed
/// variables marks correlated noise, with the number of networks that have it.
std::string loading_graph_graphml(const CpModel& low_rank, const SparseTensor& noise);

}  // namespace sunder
