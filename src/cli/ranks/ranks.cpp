#include "sunder/algorithms/ranks.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "cli/cli.hpp"
#include "cli/ranks/ranks_print.hpp"
#include "report/html.hpp"
#include "report/inference_summary.hpp"
#include "report/page.hpp"
#include "report/report.hpp"
#include "report/sections/report_parts.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::cli {

namespace {

struct RanksCommand {
  std::string input;
  std::string output;
  std::vector<int> nonnegative;
  RunOptions run;
  ConsoleOptions talk;

  ExitCode execute() const;
};

std::string page_of(const std::string& input, const RankStudy& study) {
  Page page(input + " – ranks");
  page.add_html(fmt::format("<h1>{}</h1>\n", html::escape(input)));
  add_rank_section(page, study);
  return page.render();
}

ExitCode RanksCommand::execute() const {
  RunOptions options = run;
  RobustCpOptions method;
  method.nonnegative.assign(nonnegative.begin(), nonnegative.end());
  RankStudy study;
  {
    ProgressBar bar(talk);
    options.progress = bar.callback();
    const LoadedTensor loaded = open_tensor(input)->load();
    study = rank_study(loaded.view, options, method);
  }
  stop_if_interrupted();
  if (talk.json) fmt::print("{}\n", render_ranks(study));
  if (talk.for_people()) print_ranks(study);
  if (!output.empty()) write_text(output, page_of(input, study));
  return ExitCode::done;
}

}  // namespace

Command add_ranks(CLI::App& command) {
  auto state = std::make_shared<RanksCommand>();
  command.add_option("tensor", state->input, "the tensor T")->required()->type_name("FILE");
  command.add_option("--most,-r", state->run.rank, "largest rank to try; 0: as many as it takes")
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--output,-o", state->output, "page with the table and its figure, .html")
      ->type_name("FILE");
  add_integers(command, "--nonnegative", state->nonnegative,
               "modes whose factors have no negative entry, as in 0,1,2")
      ->type_name("MODES");
  add_seed(command, state->run.seed, "seed of the random starts");
  command
      .add_option("--threads", state->run.threads,
                  "threads; 0: one for each processor; the result does not depend on it")
      ->capture_default_str()
      ->type_name("N");
  state->talk.add_flags(command);
  command.footer(
      "Each rank is fitted to a part of the tensor, about 15,000 entries, from several starts.\n"
      "The recommendation is the rank with the shortest description of the data below the first\n"
      "one whose core consistency is low; components that are blocks of errors do not count.\n");
  return [state] { return state->execute(); };
}

}  // namespace sunder::cli
