#pragma once
/// The choices that a planted tensor offers, and their names on a command line and in files.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace sunder {

enum class Support { uniform, block, none };
enum class Signs { one, random };
enum class FactorKind { gaussian, orthonormal, nonnegative };
enum class WeightKind { ones, uniform, decaying, geometric };
enum class NoiseKind { gaussian, hetero, proportional, poisson, t };
enum class BadSampleKind { garbage, model };

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
inline constexpr std::array<Named<FactorKind>, 3> names_of<FactorKind>{
    {{FactorKind::gaussian, "gaussian"},
     {FactorKind::orthonormal, "orthonormal"},
     {FactorKind::nonnegative, "nonnegative"}}};
template <>
inline constexpr std::array<Named<WeightKind>, 4> names_of<WeightKind>{
    {{WeightKind::ones, "ones"},
     {WeightKind::uniform, "uniform"},
     {WeightKind::decaying, "decaying"},
     {WeightKind::geometric, "geometric"}}};
template <>
inline constexpr std::array<Named<NoiseKind>, 5> names_of<NoiseKind>{
    {{NoiseKind::gaussian, "gaussian"},
     {NoiseKind::hetero, "hetero"},
     {NoiseKind::proportional, "proportional"},
     {NoiseKind::poisson, "poisson"},
     {NoiseKind::t, "t"}}};
template <>
inline constexpr std::array<Named<BadSampleKind>, 2> names_of<BadSampleKind>{
    {{BadSampleKind::garbage, "garbage"}, {BadSampleKind::model, "model"}}};

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

}  // namespace sunder
