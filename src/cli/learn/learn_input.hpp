#pragma once
/// What the learning commands read besides documents.

#include <optional>
#include <string>
#include <vector>

#include "sunder/learn/moment_model.hpp"

namespace CLI {
class App;
}

namespace sunder::cli {

/// Ready-made moments, in place of data.
struct MomentFiles {
  std::string first, second, third;

  void add_flags(CLI::App& command);
  /// Throws OptionError if some are given and some are not.
  bool given() const;
  /// Throws InputError unless they are n, n x n and n x n x n.
  SymmetricMoments read() const;
};

/// What `generate` says about the truth, read before the work begins so that a mistake costs none.
struct LatentTruth {
  Matrix components;
  std::optional<std::vector<Index>> corrupted;
};
/// Nothing for an empty name. `components` is the file with one in each column.
std::optional<LatentTruth> read_truth(const std::string& folder, const std::string& components);

/// A matrix from any array file. Throws InputError.
Matrix read_matrix(const std::string& location);
/// A list, or the first column of a table.
std::vector<Index> read_indices(const std::string& location);

}  // namespace sunder::cli
