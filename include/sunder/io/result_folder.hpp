#pragma once
/// The folder that holds L and S, of a result or of a planted truth:
/// factors_0.npy ... (extent x rank), weights.npy (rank), sparse_coords.npy (count x order, int64,
/// 0-based), sparse_values.npy (count, float64), summary.json (with "shape"), and for results
/// report.html.

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

/// What a result folder may hold, for StagedFolder; summary.json, written last, completes it.
std::vector<std::string> result_file_names();

/// Factors, weights, coordinates and values into an existing folder (a staged one).
void write_low_rank_plus_sparse(const std::filesystem::path& folder, const CpModel& low_rank,
                                const SparseTensor& sparse);

/// Factors and weights alone, where S is written by a SparseWriter (sparse_writer.hpp).
void write_low_rank(const std::filesystem::path& folder, const CpModel& low_rank);

/// Without S, which may be larger than memory.
CpModel read_low_rank(const std::filesystem::path& folder);

/// Throws InputError, naming the file, when something is missing or does not fit together.
LowRankPlusSparse read_low_rank_plus_sparse(const std::filesystem::path& folder);

}  // namespace sunder
