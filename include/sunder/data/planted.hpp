#pragma once
/// Corrupted low-rank tensors with a known truth ("planted"): the model of the paper's experiments,
/// generalised to any order and shape, with noise and missing entries.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/sparse_receiver.hpp"
#include "sunder/core/sparse_tensor.hpp"

namespace sunder {

enum class Support { uniform, block, none };
enum class Signs { one, random };
enum class FactorKind { gaussian, orthonormal };
enum class WeightKind { ones, uniform, decaying };

/// The names of the choices above on a command line and in files; names_of<Support> lists them.
template <class Choice>
struct Named {
  Choice value;
  std::string_view name;
};
template <class Choice>
inline constexpr std::nullptr_t names_of = nullptr;
template <>
inline constexpr std::array<Named<Support>, 3> names_of<Support>{
    {{Support::uniform, "uniform"}, {Support::block, "block"}, {Support::none, "none"}}};
template <>
inline constexpr std::array<Named<Signs>, 2> names_of<Signs>{
    {{Signs::one, "one"}, {Signs::random, "random"}}};
template <>
inline constexpr std::array<Named<FactorKind>, 2> names_of<FactorKind>{
    {{FactorKind::gaussian, "gaussian"}, {FactorKind::orthonormal, "orthonormal"}}};
template <>
inline constexpr std::array<Named<WeightKind>, 3> names_of<WeightKind>{
    {{WeightKind::ones, "ones"},
     {WeightKind::uniform, "uniform"},
     {WeightKind::decaying, "decaying"}}};

template <class Choice>
concept NamedChoice = !std::is_null_pointer_v<std::remove_cv_t<decltype(names_of<Choice>)>>;

template <NamedChoice Choice>
constexpr std::string_view to_string(Choice choice) {
  for (const auto& [value, name] : names_of<Choice>) {
    if (value == choice) return name;
  }
  return "unknown";
}

/// Parses a name, as in from_string<Support>("block"); returns nullopt for an unknown one.
template <NamedChoice Choice>
constexpr std::optional<Choice> from_string(std::string_view text) {
  for (const auto& [value, name] : names_of<Choice>) {
    if (name == text) return value;
  }
  return std::nullopt;
}

struct PlantedOptions {
  Shape shape{100, 100, 100};
  int rank = 5;
  /// Independent normal columns scaled to unit length, or orthonormal columns.
  FactorKind factors = FactorKind::gaussian;
  /// All weights are 1, uniform in (1, 2), or fall from 1 to 0.2 in equal steps.
  WeightKind weights = WeightKind::ones;
  double zero_rows = 0;  ///< probability that a row of a factor is set to zero, which raises
                         ///< incoherence; at least `rank` rows stay, and columns are renormalised
  /// One factor matrix for all modes, T and S symmetric; needs equal extents.
  bool symmetric = false;
  Support support = Support::uniform;
  /// d/n: probability of an entry of S (uniform) or of an index of a block (block).
  double density = 0.1;
  int blocks = 10;           ///< B: number of blocks
  Signs signs = Signs::one;  ///< all values of S positive, or each with a random sign
  double magnitude = 1;  ///< factor on the values of S, which are uniform in [s / 2, s], where s =
                         ///< r / n^1.5 and n^1.5 stands for the root of the number of entries
  double noise = 0;      ///< standard deviation of Gaussian noise, in units of the rms of L
  double missing = 0;    ///< share of the entries set to NaN
  ScalarType type = ScalarType::f64;  ///< f64 or f32
  /// Degrees by which every column of the factors turns, each in a plane of its own, from one slice
  /// of the last mode to the next; the factor of the last mode does not turn.
  double rotate = 0;
  /// From this slice of the last mode on, the other modes have new factors; 0: never.
  Index change_at = 0;
  std::uint64_t seed = 1;
};

struct PlantedTensor {
  DenseTensor tensor;   ///< T = L + S + noise, NaN where missing
  CpModel low_rank;     ///< L*, normalised; movement and change are components of their own
  SparseTensor sparse;  ///< S* on the observed entries
};

/// Throws OptionError when a value is out of range or contradicts another.
void validate(const PlantedOptions& options);

/// Generates a tensor in memory. Throws OptionError as validate() does, and Cancelled when the
/// callback cancels. The result depends only on the options, not on the number of threads.
PlantedTensor generate_planted(const PlantedOptions& options,
                               const ProgressCallback& progress = {});

/// Generates the same tensor without holding it in memory and returns L. `entries` receives the
/// entries of T in C order, part by part, each as a view of order 1; `sparse` receives those of S.
/// Throws OptionError for a symmetric tensor, whose entries are not generated in order.
CpModel generate_planted(const PlantedOptions& options,
                         const std::function<void(const TensorView& part)>& entries,
                         SparseReceiver& sparse, const ProgressCallback& progress = {});

}  // namespace sunder
