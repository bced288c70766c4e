#include "cli/bench/bench_decomposition.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "benchmark/machine.hpp"
#include "core/stopwatch.hpp"
#include "sunder/algorithms/robust_cp.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::cli {

namespace {

constexpr int rank = 5;
constexpr double density = 0.3;

/// Generates the planted model of `sunder generate --support uniform --density 0.3`, without its
/// truth.
DenseTensor corrupted_cube(Index n) {
  Rng rng(1);
  using Factor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<Factor> factors;
  for (int mode = 0; mode < 3; ++mode) {
    Factor factor = Factor::NullaryExpr(n, rank, [&] { return static_cast<float>(rng.normal()); });
    for (int i = 0; i < rank; ++i) factor.col(i).normalize();
    factors.push_back(std::move(factor));
  }
  const double size = rank / std::pow(static_cast<double>(n), 1.5);
  DenseTensor tensor(Shape{n, n, n}, ScalarType::f32);
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < n; ++i) {
    Rng entries(2, static_cast<std::uint64_t>(i));
    float* slab = tensor.typed<float>().data() + i * n * n;
    Eigen::Map<Factor>(slab, n, n).noalias() =
        (factors[1].array().rowwise() * factors[0].row(i).array()).matrix() *
        factors[2].transpose();
    for (Index k = 0; k < n * n; ++k) {
      // One uniform number serves as two: in the rare event, its position within the interval is
      // the value.
      const double u = entries.uniform(0, 1);
      if (u < density) slab[k] += static_cast<float>(size * (0.5 + 0.5 * u / density));
    }
  }
  return tensor;
}

double read_seconds(const DenseTensor& tensor, int threads) {
  double best = 1e300;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const Stopwatch clock;
    benchmark::read_once(tensor, threads);
    best = std::min(best, clock.seconds());
  }
  return best;
}

/// Returns a line of /proc/self/status in bytes; 0 if there is none.
double process_memory(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return 1024 * std::stod(line.substr(name.size() + 1));
  }
  return 0;
}

/// Resets the peak memory that the system reports.
void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << 5; }

}  // namespace

nlohmann::ordered_json bench_decompositions(bool quick, const ConsoleOptions& console) {
  std::vector<Index> sides{200, 400};
  if (!quick) sides.push_back(800);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  if (console.for_people()) {
    fmt::print("\ndecomposition, f32, rank {}, {:.0f}% corrupted; S counted, not listed\n", rank,
               100 * density);
    fmt::print("{:<17} {:>7}  {:>8}  {:>8}  {:>8}  {:>7}  {:>8}  {:>10}  {}\n", "shape", "threads",
               "ms", "read ms", "in reads", "passes", "sampled", "memory", "certified");
  }
  for (const Index n : sides) {
    const DenseTensor tensor = corrupted_cube(n);
    for (int threads = 1; threads <= std::min(2, omp_get_num_procs()); ++threads) {
      const double read = read_seconds(tensor, threads);
      RunOptions run;
      run.rank = rank;
      run.threads = threads;
      run.collect_sparse = false;
      double seconds = 1e300;
      double memory = 0;
      Decomposition result;
      for (int attempt = 0; attempt < 3; ++attempt) {
        stop_if_interrupted();
        reset_peak_memory();
        const double before = process_memory("VmRSS:");
        result = robust_cp(tensor.view(), run, {});
        memory = std::max(memory, process_memory("VmHWM:") - before);
        seconds = std::min(seconds, result.seconds);
      }
      const double sampled =
          static_cast<double>(result.entries_sampled) / static_cast<double>(tensor.entries());
      rows.push_back({{"shape", {n, n, n}},
                      {"type", "f32"},
                      {"rank", rank},
                      {"threads", threads},
                      {"seconds", seconds},
                      {"read_seconds", read},
                      {"reads", seconds / read},
                      {"passes", result.passes},
                      {"sampled", sampled},
                      {"memory_above_tensor", memory / static_cast<double>(tensor.bytes())},
                      {"certified", to_string(result.certificate.level)}});
      if (!console.for_people()) continue;
      fmt::print("{:<17} {:>7}  {:>8.1f}  {:>8.1f}  {:>8.1f}  {:>7}  {:>7.2f}%  {:>8.1f} %  {}\n",
                 to_string(tensor.shape()), threads, seconds * 1e3, read * 1e3, seconds / read,
                 result.passes, 100 * sampled, 100 * memory / static_cast<double>(tensor.bytes()),
                 to_string(result.certificate.level));
    }
  }
  return rows;
}

}  // namespace sunder::cli
