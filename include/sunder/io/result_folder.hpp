#pragma once
/// The folder that holds L and S, of a result or of a planted truth: factors_0.npy ... (extent x
/// rank), weights.npy (rank), sparse_coords.npy (count x order, int64, 0-based), sparse_values.npy
/// (count, float64), sparse_q.npy (the same, where it is known), factors_0_se.npy ... and
/// weights_se.npy (standard errors, where they are known), summary.json (with "shape"), and
/// report.html for results.

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

/// Writes sparse_q.npy, beside sparse_values.npy: Decomposition::sparse_q. Nothing if it is empty.
void write_sparse_q(const std::filesystem::path& folder, const std::vector<double>& q);

/// Writes factors_0_se.npy ... and weights_se.npy: the standard errors of factors and weights.
void write_standard_errors(const std::filesystem::path& folder, const std::vector<Matrix>& factors,
                           const Vector& weights);

/// Reads L without S, which may be larger than memory.
CpModel read_low_rank(const std::filesystem::path& folder);

/// Reads L and S. Throws InputError, naming the file, if something is missing or inconsistent.
LowRankPlusSparse read_low_rank_plus_sparse(const std::filesystem::path& folder);

}  // namespace sunder
