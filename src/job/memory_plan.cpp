#include "job/memory_plan.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/pass/tiling.hpp"
#include "io/files/memory.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/option_name.hpp"

namespace sunder {

namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

// The program with its libraries. The sum with the row fits of robust-cp (robust_cp/reading.hpp),
// 160 MiB, is measured; how it is shared between the two is an estimate.
constexpr std::int64_t program_memory = 96 * mebibyte;
// A quarter of the entries in S is more than is usual; a list that grows holds half as much again.
constexpr double sparse_share = 0.25;
constexpr double sparse_entry_bytes = sizeof(Index) + sizeof(double);
constexpr double growing_list = 1.5;
// The least that a pass reads at a time.
constexpr std::int64_t chunk_entries = TileLimits{}.chunk_entries;
constexpr int guessed_rank = 20;  ///< of a rank that is to be chosen

std::string size_in_words(std::int64_t bytes) {
  const auto mib = static_cast<double>(bytes) / static_cast<double>(mebibyte);
  return mib < 1024 ? fmt::format("{:.0f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024);
}

/// More than any memory, and sums of it still fit.
std::int64_t bounded(double bytes) { return static_cast<std::int64_t>(std::min(bytes, 0x1p60)); }

/// A budget that was asked for can be asked for otherwise; a machine that is too small fails.
[[noreturn]] void refuse(const MemoryQuestion& question, const std::string& reason) {
  if (question.budget > 0) throw InputError(reason);
  throw Error(reason);
}

class Planner {
 public:
  Planner(const TensorFile& file, const MethodNeeds& needs, const MemoryQuestion& question)
      : needs_(needs),
        shape_(file.shape()),
        entry_bytes_(static_cast<std::int64_t>(size_of(file.type()))),
        rank_(question.rank > 0 ? question.rank : guessed_rank),
        team_(question.threads > 0 ? question.threads : omp_get_num_procs()),
        question_(question) {
    plan_.budget = question.budget > 0 ? question.budget : default_budget();
  }

  std::int64_t tensor_bytes() const { return shape_.entries() * entry_bytes_; }
  bool fits_whole() const { return !question_.in_parts && whole_memory() <= plan_.budget; }

  MemoryPlan whole() {
    plan_.memory = whole_memory();
    plan_.bytes_to_read = tensor_bytes();
    return plan_;
  }

  MemoryPlan streamed(const EntryReader& reader) {
    plan_.streamed = true;
    const std::int64_t chunk = chunk_entries * entry_bytes_;
    const std::int64_t fixed = fixed_memory() + factor_memory() + reader.memory() + found_memory();
    const std::int64_t spare = plan_.budget - fixed;
    // Wide enough to keep every thread busy, and at most half of what is there.
    const std::int64_t wanted = std::max(64 * mebibyte, 2 * chunk * team_);
    const std::int64_t window = std::max(std::min(wanted, spare / 4), chunk);
    plan_.window_entries = window / entry_bytes_;
    plan_.memory = fixed + 2 * window;
    plan_.core_memory = plan_.budget - plan_.memory;
    plan_.bytes_to_read = tensor_bytes() + sampled_bytes();
    plan_.passes = needs_.columns_per_component > 0 ? 1 : 0;
    if (plan_.core_memory > 0) return plan_;
    refuse(
        question_,
        fmt::format("{} of memory are not enough: the factors of rank {}, two parts of the tensor "
                    "and the rest need {}; give more `memory`{}",
                    size_in_words(plan_.budget), rank_, size_in_words(plan_.memory + 32 * mebibyte),
                    factor_memory() > fixed / 2 ? " or a smaller `rank`" : ""));
  }

 private:
  std::int64_t default_budget() const {
    return static_cast<std::int64_t>(0.8 * static_cast<double>(available_memory()) /
                                     question_.processes);
  }
  std::int64_t fixed_memory() const { return program_memory + needs_.work_memory; }
  /// Of the factors: the candidate, its rows as they are fitted, and copies in the order of a pass.
  std::int64_t factor_memory() const {
    double rows = 0;
    for (const Index extent : shape_) rows += static_cast<double>(extent);
    return bounded(8 * 8 * rows * rank_);
  }
  /// Parts of S that wait for their turn.
  std::int64_t found_memory() const {
    return static_cast<std::int64_t>(sparse_share * sparse_entry_bytes *
                                     static_cast<double>(chunk_entries)) *
           (3 * team_ + 2);
  }
  std::int64_t whole_memory() const {
    const double sparse = question_.lists_sparse
                              ? sparse_share * sparse_entry_bytes * growing_list *
                                    static_cast<double>(shape_.entries())
                              : 0;
    return tensor_bytes() + fixed_memory() + factor_memory() + bounded(sparse);
  }
  /// Fibres of every mode, at least a block of the disk for each entry, unless they lie together.
  std::int64_t sampled_bytes() const {
    constexpr double block = 4096;
    double bytes = 0;
    for (const Index extent : shape_) {
      bytes += static_cast<double>(extent * needs_.columns_per_component * rank_) * block;
    }
    return bounded(std::min(bytes, shape_.order() * static_cast<double>(tensor_bytes())));
  }

  MethodNeeds needs_;
  Shape shape_;
  std::int64_t entry_bytes_;
  int rank_;
  int team_;
  MemoryQuestion question_;
  MemoryPlan plan_;
};

}  // namespace

std::string MemoryPlan::in_words() const {
  const std::string memory_words =
      fmt::format("about {} of memory, {} allowed", size_in_words(memory), size_in_words(budget));
  if (!streamed) return fmt::format("the whole tensor in memory: {}", memory_words);
  if (passes == 0) {
    return fmt::format("the tensor stays in its file: {}; {} to read in each pass", memory_words,
                       size_in_words(bytes_to_read));
  }
  return fmt::format(
      "the tensor stays in its file: {}; {} pass{} and samples, up to {} to read if the first core "
      "is good",
      memory_words, passes, passes == 1 ? "" : "es", size_in_words(bytes_to_read));
}

MemoryPlan plan_memory(const TensorFile& file, const Method& method,
                       const MemoryQuestion& question) {
  Planner planner(file, method.abilities().needs, question);
  if (planner.fits_whole()) return planner.whole();
  const bool alone = !question.in_parts || method.runs_in_processes();
  if (method.takes_stored() && alone) return planner.streamed(*file.reader());
  MemoryPlan plan = planner.whole();
  if (!alone) {
    throw InputError(fmt::format(
        "{} runs in one process: start only one, or use `method` robust-cp", method.name()));
  }
  if (planner.tensor_bytes() <= plan.budget) return plan;
  refuse(question,
         fmt::format("{} needs the whole tensor in memory, {}, and {} are allowed: give more "
                     "`memory`, or use `method` robust-cp, which reads the tensor part by part",
                     method.name(), size_in_words(planner.tensor_bytes()),
                     size_in_words(plan.budget)));
}

std::int64_t parse_bytes(std::string_view option, std::string_view text) {
  constexpr std::string_view suffixes = "KMGT";
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::size_t power = rest == end ? 0 : suffixes.find(*rest) + 1;
  const bool whole = error == std::errc{} && (rest == end || (rest + 1 == end && power > 0));
  const double bytes = std::ldexp(number, 10 * static_cast<int>(power));
  if (!whole || !(bytes >= 1) || bytes > 0x1p60) {
    throw OptionError(fmt::format("{} must be a size such as 512M or 2G, but is '{}'",
                                  option_name(option), text));
  }
  return static_cast<std::int64_t>(bytes);
}

}  // namespace sunder
