#include "cli/generate/generate_latent.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/require_option.hpp"
#include "sunder/core/error.hpp"
#include "sunder/data/gaussian_mixture.hpp"
#include "sunder/data/topic_corpus.hpp"
#include "sunder/io/corpus_file.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/learn/mixture_model.hpp"
#include "sunder/learn/topic_model.hpp"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<Index> numbers_below(Index end) {
  std::vector<Index> list(end);
  std::iota(list.begin(), list.end(), Index{0});
  return list;
}

/// Writes a list as numbers that every command can read.
void write_list(const fs::path& path, const std::vector<Index>& list) {
  Vector values(std::ssize(list));
  std::copy(list.begin(), list.end(), values.begin());
  write_npy(path, values);
}

/// Corrupts the moments and writes them; returns the corrupted variables.
std::vector<Index> write_moments(const fs::path& folder, SymmetricMoments moments,
                                 const LatentOptions& options) {
  std::vector<Index> corrupted = corrupt(moments, {.share = options.corrupt,
                                                   .magnitude = options.magnitude,
                                                   .blocks = options.blocks,
                                                   .seed = options.seed});
  const Index n = moments.variables();
  write_npy(folder / "m1.npy", moments.first);
  write_npy(folder / "m2.npy", moments.second);
  write_npy(folder / "m3.npy", TensorView::of(moments.third.data(), Shape{n, n, n}));
  return corrupted;
}

void write_vocabulary(const fs::path& path, Index words) {
  std::string text;
  for (Index v = 0; v < words; ++v) text += fmt::format("word{}\n", v);
  write_text(path, text);
}

/// Checks the options that the library knows by other names than the command.
void check(const std::string& model, const LatentOptions& options) {
  require_option(options.rank >= 1, "rank", "at least 1", options.rank);
  require_share(model == "topics" ? "corrupt-words" : "corrupt-variables", options.corrupt);
}

Json write_topics(const fs::path& folder, const LatentOptions& options,
                  const ProgressCallback& progress) {
  TopicCorpusOptions corpus;
  corpus.words = options.words;
  corpus.topics = options.rank;
  corpus.documents = options.documents;
  corpus.length = options.length;
  corpus.alpha0 = options.alpha0;
  // The corruption is in the moments if they are written, and in the documents otherwise.
  if (options.moments == "none") corpus.burst_words = options.corrupt;
  corpus.seed = options.seed;
  const bool exact = options.moments == "exact";
  const TopicCorpus made =
      exact ? generate_topics(corpus) : generate_topic_corpus(corpus, progress);
  std::vector<Index> corrupted = made.burst;
  if (!exact) {
    write_docword(folder / "docword.txt", made.corpus);
    write_vocabulary(folder / "vocabulary.txt", options.words);
  }
  if (options.moments != "none") {
    corrupted = write_moments(
        folder,
        exact ? exact_topic_moments(made.topics, made.weights, options.alpha0)
              : topic_moments(made.corpus, options.alpha0, numbers_below(options.words)),
        options);
  }
  write_npy(folder / "truth" / "topics.npy", made.topics);
  write_npy(folder / "truth" / "weights.npy", made.weights);
  write_list(folder / "truth" / "corrupted.npy", corrupted);
  return {{"words", options.words},
          {"topics", options.rank},
          {"documents", exact ? 0 : options.documents},
          {"alpha0", options.alpha0},
          {"corrupted", corrupted}};
}

Json write_mixture(const fs::path& folder, const LatentOptions& options,
                   const ProgressCallback& progress) {
  const bool exact = options.moments == "exact";
  GaussianMixtureOptions mixture;
  mixture.dimension = options.dimension;
  mixture.components = options.rank;
  mixture.samples = exact ? 1 : options.samples;
  mixture.separation = options.separation;
  mixture.outliers = exact ? 0 : options.outliers;
  mixture.magnitude = options.magnitude;
  mixture.seed = options.seed;
  if (options.moments == "none" && options.corrupt > 0) {
    throw OptionError(
        "--corrupt-variables corrupts the moments of a mixture: add --moments, or use --outliers");
  }
  const GaussianMixture made = generate_gaussian_mixture(mixture, progress);
  std::vector<Index> corrupted;
  if (!exact) write_npy(folder / "samples.npy", made.samples);
  if (options.moments != "none") {
    corrupted = write_moments(
        folder,
        exact ? exact_moments(made.means, made.weights, made.weights)
              : mixture_moments(made.samples, numbers_below(options.samples), options.rank).moments,
        options);
  }
  write_npy(folder / "truth" / "means.npy", made.means);
  write_npy(folder / "truth" / "weights.npy", made.weights);
  if (!exact) {
    write_list(folder / "truth" / "labels.npy", {made.labels.begin(), made.labels.end()});
  }
  write_list(folder / "truth" / "corrupted.npy", corrupted);
  return {{"dimension", options.dimension},
          {"components", options.rank},
          {"samples", exact ? 0 : options.samples},
          {"outliers", mixture.outliers},
          {"corrupted", corrupted}};
}

}  // namespace

void add_latent_flags(CLI::App& command, LatentOptions& options) {
  const auto add = [&](const std::string& flag, auto& value, const std::string& help) {
    command.add_option(flag, value, help)->capture_default_str()->type_name("NUMBER");
  };
  add("--words", options.words, "topics: size of the vocabulary");
  add("--documents", options.documents, "topics: number of documents");
  add("--length", options.length, "topics: mean number of words in a document");
  add("--alpha0", options.alpha0,
      "topics: total concentration of the proportions; 0: one topic per document");
  add("--dimension", options.dimension, "mixture: dimension of the samples");
  add("--separation", options.separation,
      "mixture: standard deviation of the means' coordinates; within a component it is 1");
  add("--outliers", options.outliers, "mixture: share of gross outliers among the samples");
  command
      .add_option("--moments", options.moments,
                  "topics and mixture: also write moments, exact or of the generated data")
      ->check(CLI::IsMember({"none", "exact", "sampled"}).description(""))
      ->capture_default_str()
      ->type_name("{none,exact,sampled}");
  add("--corrupt-words,--corrupt-variables", options.corrupt,
      "topics and mixture: share that is corrupted, in the moments if they are written, otherwise "
      "in the documents");
}

ExitCode generate_latent(const std::string& model, const LatentOptions& options,
                         const OutputFolder& output, const ConsoleOptions& console) {
  check(model, options);
  StagedFolder folder(
      output.name,
      {"docword.txt", "vocabulary.txt", "samples.npy", "m1.npy", "m2.npy", "m3.npy", "truth"},
      output.force);
  fs::create_directory(folder.path() / "truth");
  Json summary = {{"model", model}};
  {
    ProgressBar bar(console);
    summary.update(model == "topics" ? write_topics(folder.path(), options, bar.callback())
                                     : write_mixture(folder.path(), options, bar.callback()));
  }
  summary["moments"] = options.moments;
  summary["magnitude"] = options.magnitude;
  summary["seed"] = options.seed;
  write_text(folder.path() / "truth" / "summary.json", summary.dump(2) + "\n");
  stop_if_interrupted();
  folder.publish();
  const std::string truth = (fs::path(output.name) / "truth").string();
  if (console.json) {
    summary["truth"] = truth;
    fmt::print("{}\n", summary.dump(2));
  }
  if (console.for_people()) {
    fmt::print("{}: {} {}, {} corrupted; the truth is in {}\n", output.name, options.rank,
               model == "topics" ? fmt::format("topics of {} words", options.words)
                                 : fmt::format("components of dimension {}", options.dimension),
               summary["corrupted"].size(), truth);
  }
  return done;
}

}  // namespace sunder::cli
