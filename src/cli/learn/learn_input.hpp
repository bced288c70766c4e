#pragma once
/// The inputs of the learning commands other than documents.

#include <optional>
#include <string>
#include <vector>

#include "sunder/learn/moment_model.hpp"

namespace CLI {
class App;
}

namespace sunder::cli {

/// Files of moments, as an alternative to data.
struct MomentFiles {
  std::string first, second, third;

  void add_flags(CLI::App& command);
  /// Returns true if they are given. Throws OptionError if only some are.
  bool given() const;
  /// Reads the moments. Throws InputError unless they are n, n x n and n x n x n.
  SymmetricMoments read() const;
};

/// The truth that `generate` wrote, read before the work begins so that a mistake costs no time.
struct LatentTruth {
  Matrix components;
  std::optional<std::vector<Index>> corrupted;
};
/// Reads the truth; returns nullopt for an empty name. `components` is the file with one component
/// per column.
std::optional<LatentTruth> read_truth(const std::string& folder, const std::string& components);

/// Reads a matrix from any array file. Throws InputError.
Matrix read_matrix(const std::string& location);
/// Reads a list, or the first column of a table.
std::vector<Index> read_indices(const std::string& location);

}  // namespace sunder::cli
