#include "cli/generate/generate_planted.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/cli.hpp"
#include "cli/generate/generate_flags.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/sparse_writer.hpp"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

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

/// Adds the options that make a tensor like real data.
void describe_structure(const PlantedFlags& flags, const PlantedOptions& options, Json& summary) {
  summary["collinear"] = options.collinear;
  summary["peaks"] = options.peaks;
  summary["sparse_factors"] = options.sparse_factors;
  summary["heavy"] = options.heavy;
  summary["offset"] = options.offset;
  summary["noise_model"] = flags.noise_model;
  summary["dropout"] = options.dropout;
  summary["saturate"] = {options.saturate_low, options.saturate_high};
  summary["bad_samples"] = options.bad_samples;
  summary["bad_kind"] = flags.bad_kind;
}

/// Accepts the name of a kind of weights, or numbers.
std::string check_weights(const std::string& text) {
  if (from_string<WeightKind>(text) || parse_numbers(text)) return {};
  return fmt::format(
      "'{}' is none of ones, uniform, decaying and geometric, nor numbers with commas between them",
      text);
}

void add_structure_flags(CLI::App& command, PlantedFlags& flags) {
  PlantedOptions& planted = flags.options;
  add_number(command, "--collinear", planted.collinear,
             "cosine of each two columns of a factor, in all modes");
  add_number(command, "--peaks", planted.peaks,
             "width of the single peak of every column, over the extent; mode 0 holds amounts");
  add_number(command, "--sparse-factors", planted.sparse_factors,
             "share of the entries of the factors that are not zero but positive; 0: all, of any "
             "sign");
  add_number(command, "--heavy", planted.heavy,
             "factor on a twentieth of the rows of every factor");
  add_number(command, "--offset", planted.offset,
             "constant added as a further component, in units of the rms of L");
  add_choice<NoiseKind>(command, "--noise-model", flags.noise_model,
                        "Gaussian noise, with another deviation in every slice, proportional to "
                        "the signal, counts, or Student's t with 3 degrees of freedom");
  add_number(command, "--dropout", planted.dropout,
             "share of the entries that are zero instead of their value");
  add_numbers(command, "--saturate", flags.saturate,
              "quantiles at which the data are cut off below and above")
      ->type_name("LOW,HIGH");
  add_number(command, "--bad-samples", planted.bad_samples,
             "share of the slices of mode 0 that do not obey the model");
  add_choice<BadSampleKind>(command, "--bad-kind", flags.bad_kind,
                            "what bad samples are: random numbers, or samples of another model");
}

}  // namespace

PlantedOptions PlantedFlags::complete() const {
  PlantedOptions complete = options;
  // The names were validated when the command line was read.
  complete.support = from_string<Support>(support).value();
  complete.signs = from_string<Signs>(signs).value();
  complete.factors = from_string<FactorKind>(factors).value();
  complete.noise_model = from_string<NoiseKind>(noise_model).value();
  complete.bad_kind = from_string<BadSampleKind>(bad_kind).value();
  complete.type = parse_scalar_type(dtype).value();
  if (const auto kind = from_string<WeightKind>(weights)) {
    complete.weights = *kind;
  } else {
    complete.weight_list = parse_numbers(weights).value();
  }
  if (!saturate.empty()) {
    if (saturate.size() != 2) {
      throw OptionError(fmt::format("`saturate` needs two quantiles, but has {}", saturate.size()));
    }
    complete.saturate_low = saturate[0];
    complete.saturate_high = saturate[1];
  }
  return complete;
}

Json write_planted(const PlantedFlags& flags, const PlantedOptions& options, const fs::path& folder,
                   const ProgressCallback& progress) {
  const PlantedTruth made = options.symmetric ? write_in_memory(options, folder, progress)
                                              : write_in_parts(options, folder, progress);
  Json summary;
  summary["model"] = "planted";
  summary["shape"] = std::vector<Index>(options.shape.begin(), options.shape.end());
  summary["rank"] = options.rank;
  summary["dtype"] = flags.dtype;
  summary["factors"] = flags.factors;
  summary["weights"] = flags.weights;
  describe_structure(flags, options, summary);
  summary["zero_rows"] = options.zero_rows;
  summary["symmetric"] = options.symmetric;
  summary["support"] = flags.support;
  summary["density"] = options.density;
  summary["blocks"] = options.blocks;
  summary["signs"] = flags.signs;
  summary["magnitude"] = options.magnitude;
  summary["noise"] = options.noise;
  summary["missing"] = options.missing;
  summary["rotate"] = options.rotate;
  summary["change_at"] = options.change_at;
  summary["seed"] = options.seed;
  summary["sparse_count"] = made.sparse_count;
  summary["sparse_fraction"] =
      static_cast<double>(made.sparse_count) / static_cast<double>(options.shape.entries());
  summary["norm_low_rank"] = made.low_rank.norm();
  summary["norm_sparse"] = made.sparse_norm;
  write_low_rank(folder / "truth", made.low_rank);
  write_text(folder / "truth" / "summary.json", summary.dump(2) + "\n");
  return summary;
}

void add_planted_flags(CLI::App& command, PlantedFlags& flags) {
  PlantedOptions& planted = flags.options;
  add_number(command, "--rank", planted.rank, "number of components of L");
  add_choice<FactorKind>(command, "--factors", flags.factors,
                         "Gaussian columns of unit length, orthonormal ones, or absolute values");
  command
      .add_option("--weights", flags.weights,
                  "weights of the components: equal, uniform in (1, 2), from 1 to 0.2 in equal "
                  "steps, from 1 to 0.01 in equal ratios, a ratio, or one number for each")
      ->check(CLI::Validator(check_weights, ""))
      ->capture_default_str()
      ->type_name("{ones,uniform,decaying,geometric,RATIO,LIST}");
  add_number(command, "--zero-rows,--dead", planted.zero_rows,
             "share of the rows of each factor set to zero");
  command.add_flag("--symmetric", planted.symmetric,
                   "use one factor for all modes, and a symmetric S");
  add_choice<Support>(command, "--support", flags.support, "support of S");
  add_number(command, "--density", planted.density,
             "probability d/n of an entry of S (uniform), or of an index of a block (block)");
  add_number(command, "--blocks", planted.blocks, "number of blocks");
  add_choice<Signs>(command, "--signs", flags.signs, "signs of the values of S");
  add_number(command, "--magnitude", planted.magnitude, "factor on the values of S");
  add_number(command, "--missing", planted.missing, "share of the entries set to NaN");
  add_number(command, "--rotate", planted.rotate,
             "degrees by which the factors turn from one slice of the last mode to the next");
  add_number(command, "--change-at", planted.change_at,
             "slice of the last mode at which the factors change; 0: never");
  command.add_option("--dtype", flags.dtype, "storage type of the tensor")
      ->check(CLI::IsMember({"f64", "f32"}).description(""))
      ->capture_default_str()
      ->type_name("{f64,f32}");
  add_structure_flags(command, flags);
}

}  // namespace sunder::cli
