#include <pybind11/stl.h>

#include "python/bindings.hpp"
#include "python/progress.hpp"
#include "sunder/theory/block_structure.hpp"
#include "sunder/theory/conditions.hpp"
#include "sunder/theory/guarantees.hpp"
#include "sunder/theory/incoherence.hpp"
#include "sunder/theory/spectral_norm.hpp"

namespace sunder::python {

namespace {

using namespace py::literals;

py::dict dict_of(const Margin& margin) {
  return py::dict("measured"_a = margin.measured, "allowed"_a = margin.allowed,
                  "holds"_a = margin.holds());
}

py::dict incoherence_of(const CpModel& model) {
  const Incoherence found = measure_incoherence(model);
  return py::dict(
      "rank"_a = found.rank, "mu"_a = found.mu, "mu_of_mode"_a = found.mu_of_mode,
      "orthogonality_defect"_a = found.orthogonality_defect,
      "defect_of_mode"_a = found.defect_of_mode, "smallest_weight"_a = found.smallest_weight,
      "largest_weight"_a = found.largest_weight, "condition_holds"_a = found.condition_holds());
}

BlockStructure search(const SparseTensor& sparse, double fill, int max_blocks) {
  Watch watch{py::none()};
  const BlockOptions options{fill, max_blocks, watch.callback()};
  return watch.run([&] { return find_blocks(sparse, options); });
}

py::dict blocks_of(const SparseTensor& sparse, double fill, int max_blocks) {
  const BlockStructure found = search(sparse, fill, max_blocks);
  py::list blocks;
  for (const SupportBlock& block : found.blocks) {
    blocks.append(py::dict("indices"_a = block.indices, "entries"_a = block.entries,
                           "cells"_a = block.cells()));
  }
  return py::dict("blocks"_a = blocks, "largest_extent"_a = found.largest_extent,
                  "overlap"_a = found.overlap, "covered"_a = found.covered,
                  "coverage"_a = found.coverage, "structured"_a = found.structured());
}

py::dict fibres_of(const SparseTensor& sparse) {
  const FibreSparsity found = measure_fibres(sparse);
  return py::dict("largest"_a = found.largest, "of_mode"_a = found.of_mode);
}

/// Evaluates the conditions of the paper on a pair (L, S).
py::dict conditions_of(const CpModel& low_rank, const SparseTensor& sparse) {
  const double mu = measure_incoherence(low_rank).mu;
  const ProblemSize size = problem_size(low_rank.shape(), low_rank.rank(), mu);
  const BlockConditions blocks = block_conditions(size, search(sparse, 0.95, 1000));
  const auto most = static_cast<double>(measure_fibres(sparse).largest);
  return py::dict("n"_a = size.n, "rank"_a = low_rank.rank(), "mu"_a = size.mu,
                  "structured"_a = blocks.structured, "block_extent"_a = dict_of(blocks.extent),
                  "block_count"_a = dict_of(blocks.count),
                  "fibre_tensor"_a = dict_of(Margin{most, allowed_fibre_tensor(size)}),
                  "fibre_matrix"_a = dict_of(Margin{most, allowed_fibre_matrix(size)}),
                  "beta"_a = threshold_scale(size),
                  "advantage"_a = tensor_advantage(size.n, size.rank));
}

py::dict guarantees_of(const CpModel& low_rank, const SparseTensor& sparse,
                       const CpModel& true_low_rank, const SparseTensor& true_sparse,
                       double delta) {
  const Guarantees found = check_guarantees(low_rank, sparse, true_low_rank, true_sparse, delta);
  return py::dict("vectors"_a = dict_of(found.vectors), "weights"_a = dict_of(found.weights),
                  "low_rank"_a = dict_of(found.low_rank), "sparse"_a = dict_of(found.sparse),
                  "outside_support"_a = found.outside_support, "all_hold"_a = found.all_hold());
}

double norm_of(const CpModel& low_rank, const SparseTensor& sparse, std::uint64_t seed) {
  Watch watch{py::none()};
  SpectralNormOptions options;
  options.seed = seed;
  options.progress = watch.callback();
  return watch.run([&] { return estimate_spectral_norm(low_rank, sparse, {}, options); });
}

}  // namespace

void bind_theory(py::module_& module) {
  module.def("incoherence", &incoherence_of);
  module.def("find_blocks", &blocks_of);
  module.def("measure_fibres", &fibres_of);
  module.def("conditions", &conditions_of);
  module.def("guarantees", &guarantees_of);
  module.def("spectral_norm", &norm_of);
  module.def("tensor_advantage", &tensor_advantage);
}

}  // namespace sunder::python
