// P_l with whitening, in the notation of whitening.hpp: the r x r x r tensor (T - S)(W, W, W) is
// computed in one pass, fitted by CP-ALS at no further cost, and its components are taken back.
#include "sunder/algorithms/rtd_whiten.hpp"

#include <fmt/format.h>

#include "algorithms/rtd_als_loop.hpp"
#include "algorithms/validation.hpp"
#include "algorithms/whitening.hpp"
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

}  // namespace

Decomposition rtd_whiten_true(const TensorView& tensor, const RunOptions& run,
                              const RtdWhitenOptions& options) {
  if (run.true_low_rank == nullptr) {
    throw OptionError(
        "rtd-whiten-true whitens with the second moment of the true low-rank part: name the folder "
        "that holds it with --truth, or use rtd-whiten-slice");
  }
  const CpModel& truth = *run.true_low_rank;
  require_rank(run.rank, tensor.shape());
  if (!(truth.shape() == tensor.shape())) {
    throw InputError(fmt::format("the true low-rank part has shape {}, but the tensor has shape {}",
                                 to_string(truth.shape()), to_string(tensor.shape())));
  }
  if (truth.rank() != run.rank) {
    throw OptionError(fmt::format(
        "rtd-whiten-true needs the rank of the true low-rank part, which is {}, but the rank is {}",
        truth.rank(), run.rank));
  }
  const Whitening whitening(second_moments(truth));
  return rtd_als_loop(tensor, run, options, "rtd-whiten-true", whitened_step(whitening, run.rank));
}

}  // namespace sunder
