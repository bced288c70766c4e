#pragma once
/// What the tests of matrix methods share: a method has two forms, on a flattening and on slices.

#include <gtest/gtest.h>

#include <vector>

#include "algorithms/method_checks.hpp"
#include "planted_problem.hpp"

namespace sunder::test {

template <class Options>
using MatrixForm = Decomposition (*)(const TensorView&, const RunOptions&, const Options&);

/// Expects both forms to end with this outcome.
template <class FlatOptions, class SliceOptions>
void expect_outcome(MatrixForm<FlatOptions> on_flattening, MatrixForm<SliceOptions> on_slices,
                    const TensorView& tensor, const RunOptions& run,
                    const decltype(FlatOptions::matrix)& options, Outcome outcome) {
  EXPECT_EQ(on_flattening(tensor, run, {.matrix = options}).outcome, outcome);
  EXPECT_EQ(on_slices(tensor, run, {.matrix = options}).outcome, outcome);
}

/// Expects both forms to refuse ranks, modes and entries that they cannot use, and to refuse each
/// of the wrong options of the solver.
template <class FlatOptions, class SliceOptions, class MatrixOptions>
void expect_matrix_method_refuses(MatrixForm<FlatOptions> on_flattening,
                                  MatrixForm<SliceOptions> on_slices,
                                  const std::vector<MatrixOptions>& wrong_options) {
  DenseTensor tensor(Shape{3, 3, 4});
  const auto flat = [&](int rank, const FlatOptions& options = {}) {
    on_flattening(tensor.view(), of_rank(rank), options);
  };
  const auto slice = [&](int rank, const SliceOptions& options = {}) {
    on_slices(tensor.view(), of_rank(rank), options);
  };
  expect_refuses_ranks(flat);
  expect_refuses_ranks(slice);
  for (const int mode : {-1, 3}) {
    EXPECT_THROW(flat(1, {.flatten_mode = mode}), OptionError) << mode;
    EXPECT_THROW(slice(1, {.slice_modes = {0, mode}}), OptionError) << mode;
  }
  EXPECT_THROW(slice(1, {.slice_modes = {1, 1}}), OptionError);
  for (std::size_t k = 0; k < wrong_options.size(); ++k) {
    EXPECT_THROW(flat(1, {.matrix = wrong_options[k]}), OptionError) << "options " << k;
    EXPECT_THROW(slice(1, {.matrix = wrong_options[k]}), OptionError) << "options " << k;
  }
  expect_refuses_infinity(tensor, {[&] { flat(1); }, [&] { slice(1); }});
  expect_refuses_only_missing(tensor, {[&] { flat(1); }, [&] { slice(1); }});
}

}  // namespace sunder::test
