#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/built_parts.hpp"
#include "cli/cli.hpp"
#include "cli/generate/generate_bayesnet.hpp"
#include "cli/generate/generate_flags.hpp"
#include "cli/generate/generate_latent.hpp"
#include "cli/generate/generate_planted.hpp"
#include "sunder/core/error.hpp"
#include "sunder/data/planted.hpp"
#include "sunder/data/scene.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/sparse_writer.hpp"
#include "sunder/io/staged_folder.hpp"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct GenerateCommand {
  std::string model = "planted";
  std::vector<Index> shape;
  PlantedFlags planted;
  SceneOptions scene;
  BayesNetDataOptions bayesnet;
  int samples = 0;  ///< samples of a mixture, or of each network; 0: the default of the model
  LatentOptions latent;
  std::optional<double> noise;
  std::uint64_t seed = 1;
  std::string output;
  bool force = false;
  ConsoleOptions console;

  ExitCode run() const;

 private:
  ExitCode run_bayesnet() const;
  PlantedOptions planted_options() const;
  Json write_scene(const fs::path& folder, const ProgressCallback& progress) const;
};

Json extents(const Shape& shape) { return std::vector<Index>(shape.begin(), shape.end()); }

/// Writes a truth folder, which is a result folder completed by its summary.
void write_truth(const fs::path& folder, const CpModel& low_rank, const SparseTensor& sparse,
                 const Json& summary) {
  write_low_rank_plus_sparse(folder, low_rank, sparse);
  write_text(folder / "summary.json", summary.dump(2) + "\n");
}

PlantedOptions GenerateCommand::planted_options() const {
  PlantedOptions options = planted.complete();
  if (!shape.empty()) options.shape = Shape(shape);
  if (noise) options.noise = *noise;
  options.seed = seed;
  return options;
}

/// Generates a scene. Its truth is that of the video as pixels x frames, whose background has rank
/// one.
Json GenerateCommand::write_scene(const fs::path& folder, const ProgressCallback& progress) const {
  SceneOptions options = scene;
  if (!shape.empty()) options.shape = Shape(shape);
  if (noise) options.noise = *noise;
  options.seed = seed;
  const Scene made = generate_scene(options, progress);
  const Index frames = made.video.shape()[2];
  const Index pixels = made.video.entries() / frames;
  Matrix background(pixels, 1);
  const auto values = made.background.typed<float>();
  std::copy(values.begin(), values.end(), background.data());
  CpModel low_rank(Vector::Ones(1), {background, Matrix(made.gain)});
  low_rank.normalise();
  const SparseTensor sparse(
      Shape{pixels, frames},
      std::vector<Index>(made.sparse.positions().begin(), made.sparse.positions().end()),
      std::vector<double>(made.sparse.values().begin(), made.sparse.values().end()));
  Json summary;
  summary["model"] = model;
  summary["shape"] = extents(sparse.shape());
  summary["video_shape"] = extents(made.video.shape());
  summary["rank"] = 1;
  summary["dtype"] = to_string(made.video.type());
  summary["objects"] = options.objects;
  summary["light"] = options.light;
  summary["noise"] = options.noise;
  summary["seed"] = seed;
  summary["sparse_count"] = sparse.count();
  summary["sparse_fraction"] =
      static_cast<double>(sparse.count()) / static_cast<double>(made.video.entries());
  write_npy(folder / "T.npy", made.video.view());
  write_npy(folder / "truth" / "masks.npy", made.masks.view());
  write_npy(folder / "truth" / "background.npy", made.background.view());
  write_truth(folder / "truth", low_rank, sparse, summary);
  return summary;
}

ExitCode GenerateCommand::run_bayesnet() const {
  BayesNetDataOptions options = bayesnet;
  options.seed = seed;
  if (samples != 0) options.samples = samples;
  validate(options);
  StagedFolder folder(output, bayesnet_file_names(), force);
  fs::create_directory(folder.path() / "truth");
  Json summary;
  {
    ProgressBar bar(console);
    summary = write_bayesnet(options, folder.path(), bar.callback());
  }
  stop_if_interrupted();
  folder.publish();
  summary["folder"] = output;
  if (console.json) {
    fmt::print("{}\n", summary.dump(2, ' ', false, Json::error_handler_t::replace));
  }
  if (console.for_people()) {
    fmt::print("{}: {} networks of {} variables, {} hidden, {} samples each; the truth is in {}\n",
               output, options.networks, options.variables, options.hidden, options.samples,
               (fs::path(output) / "truth").string());
  }
  return done;
}

ExitCode GenerateCommand::run() const {
  if (model == "bayesnet") return run_bayesnet();
  if (model == "topics" || model == "mixture") {
    LatentOptions options = latent;
    options.rank = planted.options.rank;
    options.blocks = planted.options.blocks;
    options.seed = seed;
    if (samples != 0) options.samples = samples;
    if constexpr (with_learn) return generate_latent(model, options, {output, force}, console);
    throw OptionError(fmt::format(
        "--model {} belongs to sunder::learn, which this build leaves out; build sunder with "
        "SUNDER_LEARN=ON",
        model));
  }
  if (model == "planted") validate(planted_options());
  StagedFolder folder(output, {"truth", "T.npy"}, force);
  fs::create_directory(folder.path() / "truth");
  Json summary;
  {
    ProgressBar bar(console);
    summary = model == "scene"
                  ? write_scene(folder.path(), bar.callback())
                  : write_planted(planted, planted_options(), folder.path(), bar.callback());
  }
  stop_if_interrupted();
  folder.publish();
  const std::string tensor = (fs::path(output) / "T.npy").string();
  const std::string truth = (fs::path(output) / "truth").string();
  if (console.json) {
    summary["tensor"] = tensor;
    summary["truth"] = truth;
    fmt::print("{}\n", summary.dump(2, ' ', false, Json::error_handler_t::replace));
  }
  if (console.for_people()) {
    fmt::print("{}: {} {}, rank {}, {:.2f}% of the entries corrupted; the truth is in {}\n", tensor,
               summary[summary.contains("video_shape") ? "video_shape" : "shape"].dump(),
               summary["dtype"].get<std::string>(), summary["rank"].get<int>(),
               100 * summary["sparse_fraction"].get<double>(), truth);
  }
  return done;
}

}  // namespace

Command add_generate(CLI::App& command) {
  auto state = std::make_shared<GenerateCommand>();
  command
      .add_option("--model", state->model,
                  "kind of data: a planted low-rank + sparse tensor, a video scene, documents with "
                  "known topics, samples "
                  "of a mixture of Gaussians, or related linear Bayesian networks")
      ->check(CLI::IsMember({"planted", "scene", "topics", "mixture", "bayesnet"}).description(""))
      ->capture_default_str()
      ->type_name("{planted,scene,topics,mixture,bayesnet}");
  add_integers(command, "--shape", state->shape,
               "extents of the modes [100,100,100; scene: 60,80,100]")
      ->type_name("N,N,...");
  command
      .add_option("--noise", state->noise,
                  "standard deviation of the noise: in units of the rms of L [0], or in grey "
                  "levels for a scene [2]")
      ->type_name("NUMBER");
  add_seed(command, state->seed, "seed: the same options and seed give the same tensor");
  add_planted_flags(command, state->planted);
  add_number(command, "--objects", state->scene.objects, "scene: number of moving objects");
  add_number(command, "--light", state->scene.light,
             "scene: relative change of the light over the clip");
  command
      .add_option(
          "--samples", state->samples,
          fmt::format("mixture: number of samples [{}]; bayesnet: samples of each network [{}]",
                      state->latent.samples, state->bayesnet.samples))
      ->type_name("NUMBER");
  add_bayesnet_options(command, state->bayesnet);
  if constexpr (with_learn) add_latent_flags(command, state->latent);
  add_output(command, state->output, "folder for T.npy and truth/")->required();
  command.add_flag("--force", state->force, "replace a tensor that is already in the folder");
  state->console.add_flags(command);
  // Some models have defaults of their own, because one number does not suit all.
  CLI::Option* const rank = command.get_option("--rank");
  CLI::Option* const blocks = command.get_option("--blocks");
  CLI::Option* const magnitude = command.get_option("--magnitude");
  command.footer(
      "The truth (factors, weights, S) is written to FOLDER/truth, for 'decompose --truth'. The\n"
      "truth of a scene is that of its pixels x frames: 'decompose --group 0,1 --rank 1'.");
  return [state, rank, blocks, magnitude] {
    if (magnitude->count() > 0) state->latent.magnitude = state->planted.options.magnitude;
    if (state->model == "topics" && rank->count() == 0) state->planted.options.rank = 5;
    if (state->model == "mixture" && rank->count() == 0) state->planted.options.rank = 10;
    if (state->model != "planted" && blocks->count() == 0) state->planted.options.blocks = 1;
    return state->run();
  };
}

}  // namespace sunder::cli
