#include "cli/info/info_theory.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "cli/info/theory_report.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::cli {

namespace {

TheoryConditions conditions_for(const CpModel& low_rank, const SparseTensor& sparse,
                                const TheoryReport& report, const SpectralNormOptions& norms) {
  TheoryConditions found;
  found.size = problem_size(report.shape, low_rank.rank(), report.low_rank.mu);
  found.blocks = block_conditions(found.size, report.blocks);
  const auto most = static_cast<double>(report.fibres.largest);
  found.fibre_tensor = {most, allowed_fibre_tensor(found.size)};
  found.fibre_matrix = {most, allowed_fibre_matrix(found.size)};
  found.beta = threshold_scale(found.size);
  found.start = initial_threshold(low_rank, sparse, found.beta, report.blocks, norms);
  found.tau = iterations_per_stage(found.size, found.start.cleaned_norm, report.delta);
  found.tolerated = tolerated_sparsity(found.size);
  found.advantage = tensor_advantage(found.size.n, found.size.rank);
  return found;
}

/// Computes everything that depends on one pair L, S.
void describe(const CpModel& low_rank, const SparseTensor& sparse, const ProgressCallback& progress,
              TheoryReport& report) {
  BlockOptions search;
  search.progress = progress;
  SpectralNormOptions norms;
  norms.seed = report.seed;
  norms.progress = progress;
  report.low_rank = measure_incoherence(low_rank);
  report.sparse_count = sparse.count();
  report.fibres = measure_fibres(sparse);
  report.blocks = find_blocks(sparse, search);
  report.largest_entry = largest_magnitude(sparse);
  report.spectral_norm = estimate_spectral_norm(sparse, report.blocks, norms);
  if (report.blocks.covered == sparse.count()) {
    report.lemma_bound = lemma_spectral_bound(sparse, report.blocks);
    report.certain_bound = certain_spectral_bound(sparse, report.blocks);
  }
  if (report.shape.order() == 3 && low_rank.rank() > 0) {
    report.conditions = conditions_for(low_rank, sparse, report, norms);
  }
}

}  // namespace

void TheoryRequest::add_flags(CLI::App& command) {
  command
      .add_flag("--theory", theory_,
                "decompose the tensor and compare it with the paper's conditions and guarantees")
      ->group("Theory");
  method_ = method_names().front();
  const auto keep = [&](CLI::Option* option) {
    only_with_theory_.push_back(option->group("Theory"));
  };
  keep(command
           .add_option("--rank,-r", rank_,
                       "number of components of L, or auto; required with --theory")
           ->type_name("N"));
  keep(command.add_option("--method,-m", method_, "method of 'sunder decompose'")
           ->capture_default_str()
           ->type_name("METHOD"));
  keep(command
           .add_option("--truth", truth_, "folder with the true L and S, to check the guarantees")
           ->type_name("FOLDER"));
  keep(command.add_option("--delta", delta_, "accuracy at which to check the guarantees")
           ->capture_default_str()
           ->type_name("NUMBER"));
  keep(add_seed(command, seed_, "seed of the random starts"));
}

bool TheoryRequest::wanted() const {
  for (const CLI::Option* option : only_with_theory_) {
    if (theory_ || option->count() == 0) continue;
    throw OptionError(
        fmt::format("{} needs --theory: add --theory to decompose the tensor, or omit {}",
                    option->get_name(), option->get_name()));
  }
  if (theory_ && rank_.empty()) {
    throw OptionError("--theory decomposes the tensor and needs its rank: add --rank N");
  }
  if (!(delta_ > 0 && std::isfinite(delta_))) {
    throw OptionError(fmt::format("--delta must be positive and finite, but is {}", delta_));
  }
  return theory_;
}

ExitCode TheoryRequest::run(const std::string& input, const ConsoleOptions& console) const {
  const std::unique_ptr<Method> solver = make_method(method_);
  RunOptions run;
  run.rank = parse_rank(rank_);
  run.seed = seed_;
  const std::unique_ptr<TensorFile> file = open_tensor(input);
  require_decomposable(file->shape());
  std::optional<LowRankPlusSparse> known;
  if (!truth_.empty()) known = read_low_rank_plus_sparse(truth_);
  if (known && !(known->low_rank.shape() == file->shape())) {
    throw InputError(fmt::format("the truth in {} has shape {}, but the tensor has shape {}",
                                 truth_, to_string(known->low_rank.shape()),
                                 to_string(file->shape())));
  }
  if (known) run.true_low_rank = &known->low_rank;
  TheoryReport report;
  {
    ProgressBar bar(console);
    run.progress = bar.callback();
    const LoadedTensor loaded = file->load();
    const Decomposition result = solver->decompose(loaded.view, run);
    if (result.outcome == Outcome::cancelled) throw Cancelled();
    report.input = input;
    report.method = method_;
    report.seed = seed_;
    report.delta = delta_;
    report.truth = truth_;
    report.shape = file->shape();
    report.outcome = result.outcome;
    report.certified = result.certificate.level;
    const CpModel& low_rank = known ? known->low_rank : result.low_rank;
    const SparseTensor& sparse = known ? known->sparse : result.sparse;
    describe(low_rank, sparse, run.progress, report);
    if (known) {
      report.guarantees =
          check_guarantees(result.low_rank, result.sparse, known->low_rank, known->sparse, delta_);
    }
    report.table = advantage_table({100, 300, 1000, 10000}, {1, 5, 10, 25, 100});
  }
  stop_if_interrupted();
  if (console.json) fmt::print("{}\n", theory_json(report));
  if (console.for_people()) print_theory(report);
  return report.outcome == Outcome::converged ? done : did_not_converge;
}

}  // namespace sunder::cli
