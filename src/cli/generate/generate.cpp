#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/built_parts.hpp"
#include "cli/cli.hpp"
#include "cli/generate/generate_bayesnet.hpp"
#include "cli/generate/generate_latent.hpp"
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
  PlantedOptions planted;
  SceneOptions scene;
  BayesNetDataOptions bayesnet;
  int samples = 0;  ///< samples of a mixture, or of each network; 0: the default of the model
  LatentOptions latent;
  std::string support{to_string(planted.support)};
  std::string signs{to_string(planted.signs)};
  std::string factors{to_string(planted.factors)};
  std::string weights{to_string(planted.weights)};
  std::string dtype{to_string(planted.type)};
  std::optional<double> noise;
  std::uint64_t seed = 1;
  std::string output;
  bool force = false;
  ConsoleOptions console;

  ExitCode run() const;

 private:
  ExitCode run_bayesnet() const;
  PlantedOptions planted_options() const;
  Json write_planted(const fs::path& folder, const ProgressCallback& progress) const;
  Json write_scene(const fs::path& folder, const ProgressCallback& progress) const;
};

Json extents(const Shape& shape) { return std::vector<Index>(shape.begin(), shape.end()); }

/// Writes a truth folder, which is a result folder completed by its summary.
void write_truth(const fs::path& folder, const CpModel& low_rank, const SparseTensor& sparse,
                 const Json& summary) {
  write_low_rank_plus_sparse(folder, low_rank, sparse);
  write_text(folder / "summary.json", summary.dump(2) + "\n");
}

/// The facts for the summary, once T and S are in their files.
struct PlantedTruth {
  CpModel low_rank;
  Index sparse_count = 0;
  double sparse_norm = 0;
};

/// Generates the tensor part by part, because it may be larger than memory.
PlantedTruth write_in_parts(const PlantedOptions& options, const fs::path& folder,
                            const ProgressCallback& progress) {
  PlantedTruth truth;
  NpyWriter tensor(folder / "T.npy", options.type, options.shape);
  SparseWriter sparse(folder / "truth");
  truth.low_rank = generate_planted(
      options, [&](const TensorView& part) { tensor.add(part); }, sparse, progress);
  tensor.finish();
  sparse.finish(options.shape);
  truth.sparse_count = sparse.count();
  truth.sparse_norm = sparse.norm();
  return truth;
}

PlantedTruth write_in_memory(const PlantedOptions& options, const fs::path& folder,
                             const ProgressCallback& progress) {
  PlantedTensor made = generate_planted(options, progress);
  write_npy(folder / "T.npy", made.tensor.view());
  SparseWriter sparse(folder / "truth");
  sparse.begin(options.shape, true);
  sparse.add(made.sparse.positions(), made.sparse.values());
  sparse.finish(options.shape);
  return {std::move(made.low_rank), sparse.count(), sparse.norm()};
}

PlantedOptions GenerateCommand::planted_options() const {
  PlantedOptions options = planted;
  // The names were validated when the command line was read.
  options.support = from_string<Support>(support).value();
  options.signs = from_string<Signs>(signs).value();
  options.factors = from_string<FactorKind>(factors).value();
  options.weights = from_string<WeightKind>(weights).value();
  options.type = parse_scalar_type(dtype).value();
  if (!shape.empty()) options.shape = Shape(shape);
  if (noise) options.noise = *noise;
  options.seed = seed;
  return options;
}

Json GenerateCommand::write_planted(const fs::path& folder,
                                    const ProgressCallback& progress) const {
  const PlantedOptions options = planted_options();
  const PlantedTruth made = options.symmetric ? write_in_memory(options, folder, progress)
                                              : write_in_parts(options, folder, progress);
  Json summary;
  summary["model"] = model;
  summary["shape"] = extents(options.shape);
  summary["rank"] = options.rank;
  summary["dtype"] = dtype;
  summary["factors"] = factors;
  summary["weights"] = weights;
  summary["zero_rows"] = options.zero_rows;
  summary["symmetric"] = options.symmetric;
  summary["support"] = support;
  summary["density"] = options.density;
  summary["blocks"] = options.blocks;
  summary["signs"] = signs;
  summary["magnitude"] = options.magnitude;
  summary["noise"] = options.noise;
  summary["missing"] = options.missing;
  summary["rotate"] = options.rotate;
  summary["change_at"] = options.change_at;
  summary["seed"] = seed;
  summary["sparse_count"] = made.sparse_count;
  summary["sparse_fraction"] =
      static_cast<double>(made.sparse_count) / static_cast<double>(options.shape.entries());
  summary["norm_low_rank"] = made.low_rank.norm();
  summary["norm_sparse"] = made.sparse_norm;
  write_low_rank(folder / "truth", made.low_rank);
  write_text(folder / "truth" / "summary.json", summary.dump(2) + "\n");
  return summary;
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
    options.rank = planted.rank;
    options.blocks = planted.blocks;
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
    summary = model == "scene" ? write_scene(folder.path(), bar.callback())
                               : write_planted(folder.path(), bar.callback());
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

template <class Choice>
void add_choice(CLI::App& command, const std::string& flag, std::string& value,
                const std::string& help) {
  std::vector<std::string> names;
  for (const auto& entry : names_of<Choice>) names.emplace_back(entry.name);
  command.add_option(flag, value, help)
      ->check(CLI::IsMember(names).description(""))
      ->capture_default_str()
      ->type_name("{" + CLI::detail::join(names, ",") + "}");
}

template <class Number>
void add_number(CLI::App& command, const std::string& flag, Number& value,
                const std::string& help) {
  command.add_option(flag, value, help)->capture_default_str()->type_name("NUMBER");
}

void add_planted_options(CLI::App& command, GenerateCommand& state) {
  PlantedOptions& planted = state.planted;
  add_number(command, "--rank", planted.rank, "number of components of L");
  add_choice<FactorKind>(command, "--factors", state.factors,
                         "Gaussian columns of unit length, or orthonormal columns");
  add_choice<WeightKind>(command, "--weights", state.weights, "weights of the components");
  add_number(command, "--zero-rows", planted.zero_rows,
             "share of the rows of each factor set to zero");
  command.add_flag("--symmetric", planted.symmetric,
                   "use one factor for all modes, and a symmetric S");
  add_choice<Support>(command, "--support", state.support, "support of S");
  add_number(command, "--density", planted.density,
             "probability d/n of an entry of S (uniform), or of an index of a block (block)");
  add_number(command, "--blocks", planted.blocks, "number of blocks");
  add_choice<Signs>(command, "--signs", state.signs, "signs of the values of S");
  add_number(command, "--magnitude", planted.magnitude, "factor on the values of S");
  add_number(command, "--missing", planted.missing, "share of the entries set to NaN");
  add_number(command, "--rotate", planted.rotate,
             "degrees by which the factors turn from one slice of the last mode to the next");
  add_number(command, "--change-at", planted.change_at,
             "slice of the last mode at which the factors change; 0: never");
  command.add_option("--dtype", state.dtype, "storage type of the tensor")
      ->check(CLI::IsMember({"f64", "f32"}).description(""))
      ->capture_default_str()
      ->type_name("{f64,f32}");
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
                  "standard deviation of Gaussian noise: in units of the rms of L [0], or in grey "
                  "levels for a scene [2]")
      ->type_name("NUMBER");
  add_seed(command, state->seed, "seed: the same options and seed give the same tensor");
  add_planted_options(command, *state);
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
    if (magnitude->count() > 0) state->latent.magnitude = state->planted.magnitude;
    if (state->model == "topics" && rank->count() == 0) state->planted.rank = 5;
    if (state->model == "mixture" && rank->count() == 0) state->planted.rank = 10;
    if (state->model != "planted" && blocks->count() == 0) state->planted.blocks = 1;
    return state->run();
  };
}

}  // namespace sunder::cli
