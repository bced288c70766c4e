#include "sunder/study/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/statistics.hpp"
#include "core/stopwatch.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/rng.hpp"

namespace sunder {

namespace {

/// The entries that are hidden from the methods.
class HeldOut {
 public:
  HeldOut(const TensorView& tensor, double share, Rng rng)
      : visible_(tensor.shape(),
                 tensor.type() == ScalarType::f64 || tensor.type() == ScalarType::i32
                     ? ScalarType::f64
                     : ScalarType::f32) {
    const Shape& shape = tensor.shape();
    with_scalar_type(visible_.type(), [&]<class T>() {
      if constexpr (std::is_floating_point_v<T>) {
        copy_to(tensor, visible_.typed<T>());
        const auto wanted = static_cast<Index>(share * static_cast<double>(shape.entries()));
        for (Index k = 0; k < std::min<Index>(wanted, most_entries); ++k) {
          hide(visible_.typed<T>(), rng.below(static_cast<std::uint64_t>(shape.entries())));
        }
      }
    });
  }

  TensorView visible() const { return visible_.view(); }

  /// Computes the misfit by medians, because some of the hidden entries are corrupted.
  std::optional<double> misfit(const CpModel& model) const {
    if (positions_.empty()) return std::nullopt;
    std::vector<double> residuals;
    std::vector<double> sizes;
    const Shape& shape = visible_.shape();
    for (std::size_t k = 0; k < positions_.size(); ++k) {
      const ModeIndices index = shape.unravel(positions_[k]);
      const std::span<const Index> at(index.data(), static_cast<std::size_t>(shape.order()));
      residuals.push_back(std::abs(values_[k] - model.entry(at)));
      sizes.push_back(std::abs(values_[k]));
    }
    const double scale = median(sizes);
    return scale > 0 ? median(residuals) / scale : median(residuals);
  }

 private:
  static constexpr Index most_entries = 20'000;

  template <class T>
  static void copy_to(const TensorView& from, std::span<T> to) {
    const Shape& shape = from.shape();
    for (Index position = 0; position < shape.entries(); ++position) {
      const ModeIndices index = shape.unravel(position);
      to[position] = static_cast<T>(
          from(std::span<const Index>(index.data(), static_cast<std::size_t>(shape.order()))));
    }
  }

  template <class T>
  void hide(std::span<T> entries, std::uint64_t position) {
    T& entry = entries[position];
    if (std::isnan(entry)) return;  // missing, or already hidden
    positions_.push_back(static_cast<Index>(position));
    values_.push_back(static_cast<double>(entry));
    entry = std::numeric_limits<T>::quiet_NaN();
  }

  DenseTensor visible_;
  std::vector<Index> positions_;
  std::vector<double> values_;
};

class ComparisonRun {
 public:
  ComparisonRun(const TensorView& tensor, const ComparisonOptions& options)
      : tensor_(tensor), options_(options) {
    if (options.true_low_rank == nullptr && options.held_out > 0) {
      held_out_.emplace(tensor, options.held_out, Rng(options.seed, 7));
    }
  }

  Comparison run(const std::vector<std::string>& methods) {
    for (std::size_t k = 0; k < methods.size(); ++k) {
      done_ = static_cast<double>(k) / static_cast<double>(methods.size());
      share_ = 1 / static_cast<double>(methods.size());
      comparison_.rows.push_back(row_of(methods[k]));
    }
    std::stable_sort(comparison_.rows.begin(), comparison_.rows.end(), is_better);
    if (best_sparse_) comparison_.pattern = pattern_of(*best_sparse_);
    return std::move(comparison_);
  }

 private:
  ComparisonRow row_of(const std::string& name) {
    ComparisonRow row;
    row.method = name;
    const Stopwatch clock;
    try {
      measure(solve(name, clock, row), row);
    } catch (const Cancelled&) {
      throw;
    } catch (const std::exception& error) {
      row.status = ComparisonRow::Status::failed;
      row.message = error.what();
    }
    row.seconds = clock.seconds();
    return row;
  }

  Decomposition solve(const std::string& name, const Stopwatch& clock, ComparisonRow& row) {
    RunOptions run;
    run.rank = options_.rank;
    run.seed = options_.seed;
    run.threads = options_.threads;
    run.true_low_rank = options_.true_low_rank;
    bool stopped = false;
    run.progress = [&](const Progress& inner) {
      Progress progress = inner;
      progress.stage = name;
      progress.fraction = done_ + share_ * std::max(inner.fraction, 0.0);
      if (report(options_.progress, progress) == Continue::cancel) {
        stopped = true;
        return Continue::cancel;
      }
      if (clock.seconds() > options_.time_limit) {
        row.message = fmt::format("more than {:g} s", options_.time_limit);
        return Continue::cancel;
      }
      if (options_.pass_limit > 0 && inner.pass > options_.pass_limit) {
        row.message = fmt::format("more than {} passes", options_.pass_limit);
        return Continue::cancel;
      }
      return Continue::yes;
    };
    Decomposition result =
        make_method(name)->decompose(held_out_ ? held_out_->visible() : tensor_, run);
    if (stopped) throw Cancelled();
    if (result.outcome == Outcome::cancelled) row.status = ComparisonRow::Status::over_budget;
    return result;
  }

  void measure(Decomposition result, ComparisonRow& row) {
    row.outcome = result.outcome;
    row.certified = result.certificate.level;
    row.components = result.low_rank.rank();
    row.passes = result.passes;
    row.entries_sampled = result.entries_sampled;
    const Index observed = tensor_.entries() - result.missing_count;
    row.sparse_fraction = static_cast<double>(result.sparse_count) /
                          static_cast<double>(std::max<Index>(observed, 1));
    if (row.status != ComparisonRow::Status::finished) return;
    for (const Matrix& factor : result.low_rank.factors()) {
      if (!factor.allFinite()) throw Error("the method diverged: its low-rank part is not finite");
    }
    if (options_.true_low_rank != nullptr) {
      const SparseTensor nothing(tensor_.shape());
      const Evaluation evaluation =
          evaluate(result, *options_.true_low_rank,
                   options_.true_sparse != nullptr ? *options_.true_sparse : nothing);
      row.error = evaluation.error_low_rank;
      row.precision = evaluation.support.precision;
      row.recall = evaluation.support.recall;
    } else if (held_out_) {
      row.held_out = held_out_->misfit(result.low_rank);
    }
    if (!best_row_ || is_better(row, *best_row_)) {
      best_row_ = row;
      best_sparse_ = std::move(result.sparse);
    }
  }

  /// Orders finished before unfinished, certified before uncertified, then by the known error.
  static bool is_better(const ComparisonRow& a, const ComparisonRow& b) {
    if (a.status != b.status) return a.status < b.status;
    if (a.error && b.error) return *a.error < *b.error;
    if (a.certified != b.certified) return a.certified > b.certified;
    const double worst = std::numeric_limits<double>::infinity();
    return a.held_out.value_or(worst) < b.held_out.value_or(worst);
  }

  TensorView tensor_;
  const ComparisonOptions& options_;
  std::optional<HeldOut> held_out_;
  std::optional<ComparisonRow> best_row_;
  std::optional<SparseTensor> best_sparse_;
  double done_ = 0;
  double share_ = 1;
  Comparison comparison_;
};

std::string advice_for(const SupportPattern& pattern) {
  switch (pattern.kind) {
    case SupportKind::too_few:
      return "The sparse part has too few entries to show its structure.";
    case SupportKind::blocks:
      return fmt::format(
          "The corruption is block-structured (counts in fibres vary {:.1f} times as much as those "
          "of a random support). Use tensor methods (robust-cp, horpca-c); matrix methods cannot "
          "use the structure of the blocks.",
          pattern.unevenness);
    case SupportKind::scattered:
      break;
  }
  return fmt::format(
      "The corruption is scattered at random (counts in fibres vary {:.2f} times as much as those "
      "of a random support). Matrix methods (ircur-flat) suffice while it is light and the rank "
      "low; otherwise use robust-cp.",
      pattern.unevenness);
}

}  // namespace

std::string_view status_of(const ComparisonRow& row) {
  switch (row.status) {
    case ComparisonRow::Status::over_budget:
      return "over budget";
    case ComparisonRow::Status::failed:
      return "failed";
    case ComparisonRow::Status::finished:
      break;
  }
  return to_string(row.outcome);
}

Comparison compare_methods(const TensorView& tensor, const ComparisonOptions& options) {
  require_decomposable(tensor.shape());
  const std::vector<std::string> methods =
      options.methods.empty() ? method_names() : options.methods;
  for (const std::string& name : methods)
    make_method(name);  // reject unknown names before any work
  if (!(options.time_limit > 0)) {
    throw OptionError(
        fmt::format("the time limit must be positive, but is {}", options.time_limit));
  }
  if (!(options.held_out >= 0 && options.held_out <= 0.5)) {
    throw OptionError(
        fmt::format("the share held out must be from 0 to 0.5, but is {}", options.held_out));
  }
  Comparison comparison = ComparisonRun(tensor, options).run(methods);
  comparison.advice = advice_for(comparison.pattern);
  return comparison;
}

}  // namespace sunder
