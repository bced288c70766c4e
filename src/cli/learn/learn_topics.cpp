/// `sunder learn topics`: learns topics from documents or from their moments.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>

#include "cli/learn/learn.hpp"
#include "cli/learn/learn_command.hpp"
#include "core/stopwatch.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/corpus_file.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/learn/component_score.hpp"
#include "sunder/learn/topic_model.hpp"

namespace sunder::cli {

namespace {

using Json = LearnCommand::Json;
constexpr std::size_t top_words = 10;

struct LearnTopicsCommand : LearnCommand {
  std::string documents;
  std::string vocabulary;
  TopicOptions options;

  ExitCode run();

 private:
  TopicModel learn(LearnedVariables& words, Json& summary);
  static void evaluate(const TopicModel& model, const LatentTruth& truth, Json& summary);
  void print(const TopicModel& model, const LearnedVariables& words, const Json& summary) const;
};

std::vector<std::string> leading_words(const TopicModel& model, Index topic,
                                       const LearnedVariables& words) {
  std::vector<Index> order(model.topics.rows());
  std::iota(order.begin(), order.end(), Index{0});
  const std::size_t shown = std::min(top_words, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
      [&](Index a, Index b) { return model.topics(a, topic) > model.topics(b, topic); });
  std::vector<std::string> names;
  for (std::size_t k = 0; k < shown; ++k) names.push_back(words.name(order[k]));
  return names;
}

TopicModel LearnTopicsCommand::learn(LearnedVariables& words, Json& summary) {
  ProgressBar bar(console);
  options.progress = bar.callback();
  options.robust = !plain;
  if (moments.given()) {
    if (!documents.empty()) throw OptionError("give documents or moments, not both");
    const SymmetricMoments given = moments.read();
    if (!vocabulary.empty()) words.names = read_vocabulary(vocabulary, given.variables());
    summary["input"] = moments.third;
    return learn_topics(given, options);
  }
  if (documents.empty()) throw OptionError("give documents, or moments with --m1, --m2 and --m3");
  const Corpus corpus = read_corpus(documents);
  if (!vocabulary.empty()) words.names = read_vocabulary(vocabulary, corpus.words());
  summary["input"] = documents;
  summary["documents"] = corpus.documents();
  summary["entries"] = corpus.entries();
  return learn_topics(corpus, options);
}

void LearnTopicsCommand::evaluate(const TopicModel& model, const LatentTruth& truth,
                                  Json& summary) {
  const ComponentScore score = score_components(model.topics, truth.components, ColumnDistance::l1);
  summary["mean_l1_error"] = score.mean_error;
  summary["l1_error"] = score.error;
  summary["matched"] = score.partner;
  if (truth.corrupted) describe_flags(summary, model.corrupted, *truth.corrupted);
}

void LearnTopicsCommand::print(const TopicModel& model, const LearnedVariables& words,
                               const Json& summary) const {
  fmt::print("{}\n", summary["input"].get<std::string>());
  for (Index k = 0; k < model.topics.cols(); ++k) {
    fmt::print("  topic {:<3} {:6.2f}%  {}\n", k, 100 * model.weights[k],
               printable(fmt::format("{}", fmt::join(leading_words(model, k, words), " "))));
  }
  if (!plain) fmt::print("  {}\n", printable(corruption_sentence(words, "word")));
  fmt::print("  certified {}: {}\n", to_string(model.fit.certificate.level),
             with_dashes(model.fit.certificate.explanation));
  if (summary.contains("mean_l1_error")) {
    fmt::print("  mean L1 error of the matched topics {:.4g}\n",
               summary["mean_l1_error"].get<double>());
  }
  print_end(model.fit, summary);
}

LearnPage page_of(const TopicModel& model, const LearnedVariables& words,
                  const std::string& input) {
  LearnPage page{"Topics",
                 input,
                 corruption_sentence(words, "word") + ".",
                 {},
                 "Shares of the topics, and their most frequent words.",
                 "word"};
  page.components.columns = {"topic", "share", "most frequent words"};
  for (Index k = 0; k < model.topics.cols(); ++k) {
    page.components.rows.push_back(
        {static_cast<double>(k), model.weights[k],
         fmt::format("{}", fmt::join(leading_words(model, k, words), " "))});
  }
  return page;
}

ExitCode LearnTopicsCommand::run() {
  std::optional<StagedFolder> folder = stage({"topics.npy"});
  LearnedVariables words;
  Json summary = {{"sunder", SUNDER_VERSION}, {"model", "topics"}};
  const std::optional<LatentTruth> known = read_truth(truth, "topics.npy");
  const Stopwatch clock;
  const TopicModel model = learn(words, summary);
  if (model.fit.outcome == Outcome::cancelled) throw Cancelled();
  words.strength = model.strength;
  words.corrupted = model.corrupted;
  const Learned learned{model.weights, model.fit, words};
  summary["words"] = model.topics.rows();
  summary["topics"] = model.topics.cols();
  summary["alpha0"] = options.alpha0;
  summary["core"] = model.core.size();
  summary["seed"] = options.seed;
  describe(summary, learned, clock.seconds());
  summary["top_words"] = Json::array();
  for (Index k = 0; k < model.topics.cols(); ++k) {
    summary["top_words"].push_back(leading_words(model, k, words));
  }
  if (known) evaluate(model, *known, summary);
  if (folder) {
    write_npy(folder->path() / "topics.npy", model.topics);
    write(*folder, page_of(model, words, summary["input"]), learned, summary);
  }
  print_json(summary);
  if (console.for_people()) print(model, words, summary);
  return exit_code(model.fit);
}

}  // namespace

Command add_learn_topics(CLI::App& command) {
  auto state = std::make_shared<LearnTopicsCommand>();
  command
      .add_option("documents", state->documents,
                  "UCI docword text, or counts, documents x words, in .npy, .mat or HDF5")
      ->type_name("DOCUMENTS");
  command.add_option("--topics,-k", state->options.topics, "number of topics")->required();
  command
      .add_option("--alpha0", state->options.alpha0,
                  "total concentration of the proportions of topics in a document (latent "
                  "Dirichlet allocation); 0: one topic per document")
      ->capture_default_str();
  command.add_option("--vocabulary", state->vocabulary, "file with the words, one per line")
      ->type_name("FILE");
  command
      .add_option("--core", state->options.core,
                  "largest number of words for which the third moment is formed")
      ->capture_default_str();
  command
      .add_option("--width", state->options.width,
                  "moments that deviate by more than this many standard deviations are corrupted")
      ->capture_default_str();
  state->add_flags(command, "topics", state->options.seed, state->options.threads);
  command.footer(
      "Writes topics.npy (words x topics), weights.npy, strength.npy (of the corruption of each\n"
      "word), corrupted.npy (word, strength), report.html and summary.json. See\n"
      "docs/learn_topics.md.");
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
