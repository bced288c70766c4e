// P_l with whitening, in the notation of whitening.hpp: the r x r x r tensor (T - S)(W, W, W) is
// computed in one pass, fitted by CP-ALS at no further cost, and its components are taken back.
#include "sunder/algorithms/rtd_whiten.hpp"

#include <fmt/format.h>

#include <array>

#include "algorithms/matrix/altproj.hpp"
#include "algorithms/matrix/flattening.hpp"
#include "algorithms/paper/rtd_als_loop.hpp"
#include "algorithms/paper/whitening.hpp"
#include "algorithms/run/abilities.hpp"
#include "algorithms/run/validation.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

LowRankStep whitened_step(const Whitening& whitening, int rank) {
  const auto fit = [&whitening](TensorOperator& cleaned, const CpModel& start,
                                const CpAlsOptions& als) {
    const DenseTensor small = whitening.whitened(cleaned);
    Engine engine(small.view(), 1);
    const CpModel nothing = CpModel::zero(small.shape());
    CleanedTensor entries(engine, nothing, Rule::keep_all());
    return whitening.unwhitened(cp_als(entries, whitening.whitened(start), als));
  };
  return {fit, rank};
}

Decomposition whiten_true(std::shared_ptr<Source> tensor, const RunOptions& run,
                          const RtdWhitenOptions& options) {
  if (run.true_low_rank == nullptr) {
    throw OptionError(
        "rtd-whiten-true whitens with the second moment of the true low-rank part: give "
        "`truth`, or use rtd-whiten-slice");
  }
  const CpModel& truth = *run.true_low_rank;
  require_rank(run.rank, tensor->shape());
  if (!(truth.shape() == tensor->shape())) {
    throw InputError(fmt::format("the true low-rank part has shape {}, but the tensor has shape {}",
                                 to_string(truth.shape()), to_string(tensor->shape())));
  }
  if (truth.rank() != run.rank) {
    throw OptionError(fmt::format(
        "rtd-whiten-true needs the rank of the true low-rank part, which is {}, but the rank is {}",
        truth.rank(), run.rank));
  }
  const Whitening whitening(second_moments(truth));
  return rtd_als_loop(std::move(tensor), run, options, "rtd-whiten-true",
                      whitened_step(whitening, run.rank));
}

/// A slice could not be decomposed to its end.
struct SliceStopped {
  Outcome outcome;
};

/// The singular vectors and values of the low-rank part of a random slice over two modes: those of
/// A diag(w c_k) B' for the first and the second of them.
CpModel random_slice(const TensorView& tensor, std::array<int, 2> modes, const RunOptions& run,
                     Rng& rng) {
  const SliceLayout layout{tensor.shape(), modes};
  const auto slice = static_cast<Index>(rng.below(static_cast<std::uint64_t>(layout.slices())));
  const MatrixParts found =
      altproj(slice_view(tensor, layout, slice), run, {}, static_cast<std::uint64_t>(slice));
  const Outcome outcome = found.parts.outcome;
  if (outcome == Outcome::cancelled || outcome == Outcome::time_limit) throw SliceStopped{outcome};
  return found.parts.low_rank;
}

std::vector<Whitening::Moment> moments_of_slices(const TensorView& tensor, const RunOptions& run,
                                                 const TimeLimit& limit) {
  RunOptions slice_run = options_of_part(run);
  Rng rng(run.seed, 1);
  std::vector<Whitening::Moment> moments(tensor.order());
  for (int mode = 0; mode < tensor.order(); mode += 2) {
    // The last mode of an odd order is paired with the first, which has its moment already.
    const int other = mode + 1 < tensor.order() ? mode + 1 : 0;
    slice_run.max_seconds = limit.left();
    const CpModel slice = random_slice(tensor, {mode, other}, slice_run, rng);
    moments[mode] = {slice.factor(0), slice.weights()};
    if (other > mode) moments[other] = {slice.factor(1), slice.weights()};
  }
  return moments;
}

/// What is left to say if the run ends before there is a whitening.
Decomposition stopped(const Shape& shape, const TimeLimit& limit, Outcome outcome) {
  Decomposition result;
  result.low_rank = CpModel::zero(shape);
  result.sparse = SparseTensor(shape);
  result.outcome = outcome;
  result.seconds = limit.seconds();
  result.certificate.explanation = uncertified("rtd-whiten-slice");
  explain_time_limit(result);
  return result;
}

}  // namespace

Decomposition rtd_whiten_true(const TensorView& tensor, const RunOptions& run,
                              const RtdWhitenOptions& options) {
  return whiten_true(source_of(tensor), run, options);
}

Decomposition rtd_whiten_true(const StoredTensor& tensor, const RunOptions& run,
                              const RtdWhitenOptions& options) {
  return whiten_true(source_of(tensor), run, options);
}

Decomposition rtd_whiten_slice(const TensorView& tensor, const RunOptions& run,
                               const RtdWhitenOptions& options) {
  require_heeded("rtd-whiten-slice", {.checkpoints = true}, run);
  require_decomposable(tensor.shape());
  require_rank(run.rank, tensor.shape());
  require_orthogonal_rank(run.rank, tensor.shape());
  const TimeLimit limit(run.max_seconds);
  std::vector<Whitening::Moment> moments;
  try {
    moments = moments_of_slices(tensor, run, limit);
  } catch (const SliceStopped& stop) {
    return stopped(tensor.shape(), limit, stop.outcome);
  }
  RunOptions rest = run;
  rest.max_seconds = limit.left();
  const Whitening whitening(moments);
  return rtd_als_loop(source_of(tensor), rest, options, "rtd-whiten-slice",
                      whitened_step(whitening, run.rank));
}

}  // namespace sunder
