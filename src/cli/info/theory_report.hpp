#pragma once
/// The results of `sunder info --theory`, and how they are printed.

#include <optional>
#include <string>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/theory/block_structure.hpp"
#include "sunder/theory/conditions.hpp"
#include "sunder/theory/guarantees.hpp"
#include "sunder/theory/incoherence.hpp"
#include "sunder/theory/initial_threshold.hpp"

namespace sunder::cli {

/// The conditions of the paper, which it states for order 3.
struct TheoryConditions {
  ProblemSize size;
  BlockConditions blocks;
  Margin fibre_tensor;  ///< D without block structure
  Margin fibre_matrix;
  double beta = 0;
  InitialThreshold start;
  std::optional<double> tau;
  ToleratedSparsity tolerated;
  double advantage = 0;  ///< of the corollary, with mu = O(1)
};

struct TheoryReport {
  std::string input;
  std::string method;
  std::uint64_t seed = 0;
  double delta = 0;
  std::string truth;  ///< folder of the truth; empty: the quantities are those of the result
  Shape shape;
  Outcome outcome = Outcome::converged;
  Certified certified = Certified::none;

  Incoherence low_rank;
  Index sparse_count = 0;
  BlockStructure blocks;
  FibreSparsity fibres;
  double largest_entry = 0;  ///< ||S||_inf
  double spectral_norm = 0;  ///< lower estimate of the spectral norm of S
  /// Bounds on it, if the blocks contain all of S.
  std::optional<double> lemma_bound;
  std::optional<double> certain_bound;
  std::optional<TheoryConditions> conditions;  ///< nullopt unless the order is 3 and L is not 0
  std::optional<Guarantees> guarantees;        ///< if the truth is known
  std::vector<Advantage> table;
};

void print_theory(const TheoryReport& report);
/// Formats the report as one JSON object; numbers that are not finite become null.
std::string theory_json(const TheoryReport& report);

}  // namespace sunder::cli
