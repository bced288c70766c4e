#pragma once
/// The folder that holds L and S, of a result or of a planted truth: factors_0.npy ... (extent x
/// rank), weights.npy (rank), sparse_coords.npy (count x order, int64, 0-based), sparse_values.npy
/// (count, float64), summary.json (with "shape"), and report.html for results.

#include <filesystem>
#include <string>
#include <vector>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

struct LowRankPlusSparse {
  CpModel low_rank;
  SparseTensor sparse;
};

/// Returns the names of all files that a result folder may hold, for StagedFolder; summary.json is
/// written last and marks the folder as complete.
std::vector<std::string> result_file_names();

/// Writes factors, weights, coordinates and values into an existing folder (a staged one).
void write_low_rank_plus_sparse(const std::filesystem::path& folder, const CpModel& low_rank,
                                const SparseTensor& sparse);

/// Writes factors and weights alone, when a SparseWriter (sparse_writer.hpp) writes S.
void write_low_rank(const std::filesystem::path& folder, const CpModel& low_rank);

/// Reads L without S, which may be larger than memory.
CpModel read_low_rank(const std::filesystem::path& folder);

/// Reads L and S. Throws InputError, naming the file, if something is missing or inconsistent.
LowRankPlusSparse read_low_rank_plus_sparse(const std::filesystem::path& folder);

}  // namespace sunder
