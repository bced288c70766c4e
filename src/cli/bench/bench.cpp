/// `sunder bench`: measures the speed of a pass and compares it with the limits of the machine.

#include <fmt/format.h>
#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "benchmark/als_sweep.hpp"
#include "benchmark/machine.hpp"
#include "cli/bench/bench_decomposition.hpp"
#include "cli/bench/bench_video.hpp"
#include "cli/built_parts.hpp"
#include "cli/cli.hpp"
#include "core/stopwatch.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"
#include "sunder/core/rng.hpp"

namespace sunder::cli {

namespace {

struct Case {
  Shape shape;
  ScalarType type;
  Precision precision;
  int rank;
  bool sums = true;
};

constexpr double threshold = 4.5;  // rejects about 38% of the entries of the random tensors below

struct Measured {
  double fused = 0;
  double staged = 0;
  double roof = 0;
};

std::vector<Case> grid(bool quick) {
  const Index n = quick ? 150 : 300;
  const Shape cube{n, n, n};
  const Shape video = quick ? Shape{25, 540, 480} : Shape{100, 1080, 480};
  std::vector<Case> cases;
  for (const int rank :
       quick ? std::vector<int>{1, 5, 25} : std::vector<int>{1, 2, 5, 10, 25, 50}) {
    cases.push_back({cube, ScalarType::f64, Precision::f64, rank});
    cases.push_back({cube, ScalarType::f32, Precision::f32, rank});
  }
  for (const int rank : {1, 5}) {
    cases.push_back({video, ScalarType::u8, Precision::f32, rank, false});
    cases.push_back({video, ScalarType::u8, Precision::f32, rank, true});
  }
  if (!quick) {
    cases.push_back({Shape{400, 400, 400}, ScalarType::f64, Precision::f64, 10});
    cases.push_back({Shape{400, 400, 400}, ScalarType::f32, Precision::f32, 10});
  }
  return cases;
}

DenseTensor random_tensor(const Case& what) {
  DenseTensor tensor(what.shape, what.type);
  Rng rng(1);
  with_scalar_type(what.type, [&]<class T>() {
    for (T& x : tensor.typed<T>()) x = static_cast<T>(rng.next() & 7);
  });
  return tensor;
}

CpModel random_model(const Case& what) {
  Rng rng(2);
  std::vector<Matrix> factors;
  for (const Index extent : what.shape) {
    factors.emplace_back(
        Matrix::NullaryExpr(extent, what.rank, [&] { return rng.uniform(-1, 1); }));
  }
  return {Vector::Ones(what.rank), std::move(factors)};
}

/// Returns the fastest of a few runs, because other programs can only slow a run down.
template <class Work>
double fastest(int repeats, Work&& work) {
  double best = 1e300;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    stop_if_interrupted();
    const Stopwatch clock;
    work();
    best = std::min(best, clock.seconds());
  }
  return best;
}

using Rows = nlohmann::ordered_json;

std::vector<Index> extents(const Shape& shape) { return {shape.begin(), shape.end()}; }

/// Each part prints a table for people and returns its rows for programs.
struct BenchCommand {
  bool quick = false;
  bool video = false;  ///< run only the video part
  ConsoleOptions console;

  ExitCode run();

 private:
  Rows limits();
  Rows passes() const;
  Rows verifications() const;
  Rows als_sweeps() const;
  Rows measure_video() const;

  Measured measure(const Case& what, const DenseTensor& tensor, const CpModel& model, int threads,
                   const benchmark::Limits& limits) const;
  int repeats() const { return quick ? 5 : 10; }

  std::vector<int> teams_;
  std::vector<benchmark::Limits> limits_;  ///< one for each number of threads
};

Rows BenchCommand::limits() {
  Rows rows;
  for (const int threads : teams_) {
    benchmark::Limits l = benchmark::measure_limits(threads);
    if (!limits_.empty()) {  // more threads are never slower, unless something else was running
      const benchmark::Limits& fewer = limits_.back();
      l.read_bytes_per_second = std::max(l.read_bytes_per_second, fewer.read_bytes_per_second);
      l.f64_flops_per_second = std::max(l.f64_flops_per_second, fewer.f64_flops_per_second);
      l.f32_flops_per_second = std::max(l.f32_flops_per_second, fewer.f32_flops_per_second);
    }
    limits_.push_back(l);
    rows.push_back({{"threads", threads},
                    {"read_gb_per_s", l.read_bytes_per_second * 1e-9},
                    {"f64_gflops", l.f64_flops_per_second * 1e-9},
                    {"f32_gflops", l.f32_flops_per_second * 1e-9}});
    if (!console.for_people()) continue;
    fmt::print("{} thread{}: read {:.1f} GB/s, FMA {:.0f} GFLOP/s f64, {:.0f} f32\n", threads,
               threads > 1 ? "s" : " ", l.read_bytes_per_second * 1e-9,
               l.f64_flops_per_second * 1e-9, l.f32_flops_per_second * 1e-9);
  }
  return rows;
}

Measured BenchCommand::measure(const Case& what, const DenseTensor& tensor, const CpModel& model,
                               int threads, const benchmark::Limits& limits) const {
  PassRequest request{.model = &model, .rule = Rule::hard_threshold(threshold)};
  request.modes = all_modes(what.shape.order());
  request.precision = what.precision;
  request.sums = what.sums;
  Measured measured;
  measured.fused = fastest(repeats(), [&] { pass(tensor.view(), request, threads); });
  double sink = 0;
  measured.staged = fastest((repeats() + 2) / 3, [&] {
    sink += benchmark::staged_pass(tensor.view(), model, threshold, what.precision, threads);
  });
  measured.roof = benchmark::roof_seconds(limits, tensor.view(), what.rank, what.precision);
  return sink == sink ? measured : Measured{};
}

Rows BenchCommand::passes() const {
  if (console.for_people()) {
    fmt::print("\nOne pass, hard threshold, MTTKRPs of all modes\n");
    fmt::print("{:<17} {:>4} {:>4} {:>4} {:>7}  {:>9}  {:>8}  {:>9}  {:>6}\n", "shape", "type",
               "rank", "sums", "threads", "fused ms", "of roof", "staged ms", "faster");
  }
  Rows rows;
  for (const Case& what : grid(quick)) {
    const DenseTensor tensor = random_tensor(what);
    const CpModel model = random_model(what);
    for (std::size_t k = 0; k < teams_.size(); ++k) {
      const Measured m = measure(what, tensor, model, teams_[k], limits_[k]);
      rows.push_back({{"shape", extents(what.shape)},
                      {"type", to_string(what.type)},
                      {"rank", what.rank},
                      {"sums", what.sums},
                      {"threads", teams_[k]},
                      {"fused_seconds", m.fused},
                      {"staged_seconds", m.staged},
                      {"roof_seconds", m.roof}});
      if (!console.for_people()) continue;
      fmt::print("{:<17} {:>4} {:>4} {:>4} {:>7}  {:>9.2f}  {:>8.2f}  {:>9.2f}  {:>5.1f}x\n",
                 to_string(what.shape), to_string(what.type), what.rank, what.sums ? "yes" : "no",
                 teams_[k], m.fused * 1e3, m.roof / m.fused, m.staged * 1e3, m.staged / m.fused);
    }
  }
  return rows;
}

/// Measures the last step of a solver: the residual, its threshold and the counts of all slices;
/// then the same with the entries of S passed to a sink.
Rows BenchCommand::verifications() const {
  if (console.for_people()) {
    fmt::print("\nOne verification: threshold and counts of slices, no products\n");
    fmt::print("{:<17} {:>4} {:>4} {:>7}  {:>9}  {:>9}  {:>8}  {:>9}\n", "shape", "type", "rank",
               "threads", "read ms", "counts ms", "of read", "with S ms");
  }
  const Shape shape = quick ? Shape{50, 400, 400} : Shape{200, 800, 800};
  Rows rows;
  for (const ScalarType type : {ScalarType::f64, ScalarType::f32}) {
    const Precision precision = type == ScalarType::f64 ? Precision::f64 : Precision::f32;
    const Case what{shape, type, precision, 5};
    const DenseTensor tensor = random_tensor(what);
    const CpModel model = random_model(what);
    for (const int threads : teams_) {
      double sink = 0;
      const double read =
          fastest(repeats(), [&] { sink += benchmark::read_once(tensor, threads); });
      PassRequest request{.model = &model, .rule = Rule::hard_threshold(threshold)};
      request.precision = precision;
      request.slice_statistics = SliceDetail::counts;
      request.fit_tolerance = threshold;
      const double counts = fastest(repeats(), [&] { pass(tensor.view(), request, threads); });
      request.sparse_sink = [&](auto, std::span<const double> values) { sink += values[0]; };
      const double with_sparse = fastest(3, [&] { pass(tensor.view(), request, threads); });
      rows.push_back({{"shape", extents(shape)},
                      {"type", to_string(type)},
                      {"rank", what.rank},
                      {"threads", threads},
                      {"read_seconds", sink == sink ? read : 0},
                      {"counts_seconds", counts},
                      {"with_sparse_seconds", with_sparse}});
      if (!console.for_people()) continue;
      fmt::print("{:<17} {:>4} {:>4} {:>7}  {:>9.2f}  {:>9.2f}  {:>7.2f}x  {:>9.2f}\n",
                 to_string(shape), to_string(type), what.rank, threads, read * 1e3, counts * 1e3,
                 counts / read, with_sparse * 1e3);
    }
  }
  return rows;
}

/// Compares a robust sweep (one pass) with a sweep of plain ALS, one thread each.
Rows BenchCommand::als_sweeps() const {
  Rows rows = Rows::array();
  const auto blas = benchmark::Blas::find();
  if (!blas) {
    if (console.for_people()) {
      fmt::print("\nNo comparison with ALS: OpenBLAS is not installed (libopenblas0-serial).\n");
    }
    return rows;
  }
  const Case what{Shape{200, 200, 200}, ScalarType::f64, Precision::f64, 10};
  const DenseTensor tensor = random_tensor(what);
  const CpModel model = random_model(what);
  double sink = 0;
  const double plain =
      fastest(repeats(), [&] { sink += benchmark::als_sweep(*blas, tensor.view(), model); });
  PassRequest request{.model = &model, .rule = Rule::hard_threshold(threshold)};
  request.modes = all_modes(what.shape.order());
  const double robust = fastest(repeats(), [&] { pass(tensor.view(), request, 1); });
  rows.push_back({{"shape", extents(what.shape)},
                  {"type", to_string(what.type)},
                  {"rank", what.rank},
                  {"threads", 1},
                  {"blas", blas->name()},
                  {"robust_seconds", robust},
                  {"als_seconds", sink == sink ? plain : 0}});
  if (console.for_people()) {
    fmt::print("\nOne robust sweep and one sweep of plain ALS with a BLAS ({})\n", blas->name());
    fmt::print("{:<17} {} rank {}, 1 thread: robust {:.2f} ms, plain {:.2f} ms, {:.2f}x\n",
               to_string(what.shape), to_string(what.type), what.rank, robust * 1e3, plain * 1e3,
               plain / robust);
  }
  return rows;
}

Rows BenchCommand::measure_video() const {
  if constexpr (with_video) return bench_video(quick, console);
  throw OptionError(
      "--video measures sunder::video, which this build leaves out; build sunder with "
      "SUNDER_VIDEO=ON");
}

ExitCode BenchCommand::run() {
  teams_ = {1};
  if (omp_get_num_procs() > 1) teams_.push_back(2);
  nlohmann::ordered_json json;
  if (video) {
    json["video"] = measure_video();
    if (console.json) fmt::print("{}\n", json.dump(2));
    return done;
  }
  json["limits"] = limits();
  json["passes"] = passes();
  json["verifications"] = verifications();
  json["als_sweeps"] = als_sweeps();
  json["decompositions"] = bench_decompositions(quick, console);
  if (with_video) json["video"] = measure_video();
  if (console.json) fmt::print("{}\n", json.dump(2));
  return done;
}

}  // namespace

Command add_bench(CLI::App& command) {
  auto state = std::make_shared<BenchCommand>();
  command.add_flag("--quick", state->quick,
                   "use small tensors and few repetitions; takes a few seconds");
  command.add_flag("--video", state->video, "measure only the background model of 'sunder video'");
  state->console.add_flags(command);
  command.footer(
      "A pass computes the residual, thresholds it and takes the MTTKRPs of all modes.\n"
      "'of roof' is the fraction of what this machine's memory bandwidth or arithmetic allows;\n"
      "'staged' is the same work done in separate steps.");
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
