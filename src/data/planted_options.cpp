#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/require_option.hpp"
#include "sunder/data/planted.hpp"

namespace sunder {

namespace {

void require_planted_shape(const PlantedOptions& options) {
  const Shape& shape = options.shape;
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  require_option(shape.order() >= min_order && !empty, "shape",
                 fmt::format("{} to {} extents, each at least 1", min_order, max_order),
                 '(' + to_string(shape) + ')');
  const auto [smallest, largest] = std::minmax_element(shape.begin(), shape.end());
  if (options.symmetric && *smallest != *largest) {
    throw OptionError(fmt::format(
        "`symmetric` needs equal extents, but `shape` is {}: make them equal, or leave `symmetric` "
        "off",
        to_string(shape)));
  }
  if (options.factors == FactorKind::orthonormal && options.rank > *smallest) {
    throw OptionError(fmt::format(
        "{} orthonormal columns do not fit in a mode of length {}: lower `rank` to {}, enlarge "
        "`shape` ({}), or choose gaussian for `factors`",
        options.rank, *smallest, *smallest, to_string(shape)));
  }
}

void require_movement(const PlantedOptions& options) {
  const Index slices = options.shape[options.shape.order() - 1];
  require_option(std::isfinite(options.rotate), "rotate", "a finite number of degrees",
                 options.rotate);
  if (options.change_at < 0 || options.change_at >= slices) {
    throw OptionError(fmt::format(
        "`change-at` is {}, but the last mode has slices 0 to {}: give one of them from 1 "
        "on, or 0 for no change",
        options.change_at, slices - 1));
  }
  if (options.symmetric && (options.rotate != 0 || options.change_at > 0)) {
    throw OptionError(
        "a symmetric tensor has one factor for all modes, which can neither rotate nor change "
        "along the last: leave `symmetric`, `rotate` or `change-at` off");
  }
}

/// What several options would decide at once.
void require_one_kind_of_factor(const PlantedOptions& options) {
  const int kinds = static_cast<int>(options.collinear > 0) + static_cast<int>(options.peaks > 0) +
                    static_cast<int>(options.sparse_factors > 0) +
                    static_cast<int>(options.factors != FactorKind::gaussian);
  if (kinds > 1) {
    throw OptionError(
        "`collinear`, `peaks`, `sparse-factors` and a kind of `factors` other than gaussian each "
        "decide what the factors are: choose one of them");
  }
  if (options.zero_rows > 0 && (options.peaks > 0 || options.sparse_factors > 0)) {
    throw OptionError(
        "`zero-rows` could remove all of a column whose values are few: leave it off where "
        "`peaks` or `sparse-factors` is given");
  }
}

void require_factors(const PlantedOptions& options) {
  const auto finite = [](double x) { return std::isfinite(x); };
  require_option(options.collinear >= 0 && options.collinear < 1, "collinear",
                 "a cosine from 0 to below 1", options.collinear);
  require_option(options.peaks >= 0 && finite(options.peaks), "peaks",
                 "a finite share of the extent, 0 for none", options.peaks);
  require_share("sparse-factors", options.sparse_factors);
  require_option(options.heavy > 0 && finite(options.heavy), "heavy", "positive and finite",
                 options.heavy);
  require_option(finite(options.offset), "offset", "finite", options.offset);
  require_one_kind_of_factor(options);
  const Index smallest = *std::min_element(options.shape.begin(), options.shape.end());
  if (options.collinear > 0 && options.rank >= smallest) {
    throw OptionError(fmt::format(
        "{} columns with the same cosine need a mode of length {} at least, but `shape` is {}: "
        "lower `rank`, or leave `collinear` off",
        options.rank, options.rank + 1, to_string(options.shape)));
  }
}

void require_weights(const PlantedOptions& options) {
  const std::vector<double>& list = options.weight_list;
  const bool positive =
      std::all_of(list.begin(), list.end(), [](double x) { return x > 0 && std::isfinite(x); });
  require_option(positive, "weights", "positive and finite",
                 fmt::format("{}", fmt::join(list, ",")));
  require_option(list.size() <= 1 || list.size() == static_cast<std::size_t>(options.rank),
                 "weights",
                 fmt::format("one ratio, or {} numbers for as many components", options.rank),
                 fmt::format("{}", fmt::join(list, ",")));
}

void require_damage(const PlantedOptions& options) {
  require_share("dropout", options.dropout);
  require_share("bad-samples", options.bad_samples);
  require_option(options.saturate_low >= 0 && options.saturate_low < options.saturate_high &&
                     options.saturate_high <= 1,
                 "saturate", "two quantiles from 0 to 1, the lower one first",
                 fmt::format("{},{}", options.saturate_low, options.saturate_high));
}

void require_noise(const PlantedOptions& options) {
  require_option(options.noise >= 0 && std::isfinite(options.noise), "noise",
                 "finite and not negative", options.noise);
  if (options.noise_model != NoiseKind::poisson) return;
  if (options.noise == 0) {
    throw OptionError(
        "counts need `noise`, the relative deviation of an average entry: an average of m counts "
        "has 1 / sqrt(m)");
  }
  const bool nonnegative = (options.factors == FactorKind::nonnegative || options.peaks > 0 ||
                            options.sparse_factors > 0) &&
                           options.offset >= 0 && options.rotate == 0;
  if (!nonnegative) {
    throw OptionError(
        "counts need an L without negative entries: choose nonnegative for `factors`, or give "
        "`peaks` or `sparse-factors`, with no negative `offset` and no `rotate`");
  }
}

void require_symmetry(const PlantedOptions& options) {
  if (!options.symmetric) return;
  if (options.peaks > 0 || options.bad_samples > 0 || options.noise_model == NoiseKind::hetero) {
    throw OptionError(
        "`peaks`, `bad-samples` and the noise model hetero treat the modes differently: leave them "
        "or `symmetric` off");
  }
}

}  // namespace

void validate(const PlantedOptions& options) {
  require_option(options.rank >= 1, "rank", "at least 1", options.rank);
  require_planted_shape(options);
  require_share("density", options.density);
  require_share("missing", options.missing);
  require_share("zero-rows", options.zero_rows);
  require_option(options.support != Support::block || options.blocks >= 1, "blocks",
                 "at least 1 where `support` is block", options.blocks);
  if (!(options.magnitude > 0 && std::isfinite(options.magnitude))) {
    throw OptionError(fmt::format(
        "`magnitude` must be positive and finite, but is {}: to plant no S, choose none for "
        "`support`",
        options.magnitude));
  }
  require_factors(options);
  require_weights(options);
  require_noise(options);
  require_damage(options);
  require_symmetry(options);
  require_movement(options);
  require_option(options.type == ScalarType::f64 || options.type == ScalarType::f32, "dtype",
                 "f64 or f32", to_string(options.type));
}

}  // namespace sunder
