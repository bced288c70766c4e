/// The library as somebody else's program uses it: plants a tensor, decomposes it, judges the
/// result.

#include <cstdio>
#include <cstring>
#include <sunder/algorithms/evaluation.hpp>
#include <sunder/algorithms/method.hpp>
#include <sunder/core/dense_tensor.hpp>
#include <sunder/data/planted.hpp>

int main() {
  sunder::PlantedOptions options;
  options.shape = {24, 20, 16};
  options.rank = 2;
  options.factors = sunder::FactorKind::orthonormal;
  options.density = 0.02;
  const sunder::PlantedTensor planted = sunder::generate_planted(options);

  // A tensor of the program's own, as its data would be.
  sunder::DenseTensor tensor(options.shape);
  std::memcpy(tensor.data(), planted.tensor.data(), tensor.bytes());

  sunder::RunOptions run;
  run.rank = 2;
  const sunder::Decomposition result =
      sunder::make_method("rtd-als")->decompose(tensor.view(), run);
  const sunder::Evaluation found = sunder::evaluate(result, planted.low_rank, planted.sparse);
  std::printf("relative error of L: %.2e\n", found.error_low_rank);
  return found.error_low_rank < 1e-6 ? 0 : 1;
}
