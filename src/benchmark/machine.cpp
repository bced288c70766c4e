#include "benchmark/machine.hpp"

#include <omp.h>

#include <algorithm>

#include "benchmark/stages.hpp"
#include "core/stopwatch.hpp"

namespace sunder::benchmark {

namespace {

constexpr int attempts = 20;

template <class Work>
double fastest_seconds(int threads, Work&& work) {
  double best = 1e300;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Stopwatch clock;
#pragma omp parallel num_threads(threads)
    work(omp_get_thread_num());
    best = std::min(best, clock.seconds());
  }
  return best;
}

}  // namespace

Limits measure_limits(int threads) {
  Limits limits;
  const DenseTensor memory(Shape{threads, Index{16} << 20});  // 128 MiB each, larger than any cache
  const auto entries = memory.shape()[1];
  std::vector<double> keep(threads);
  const double reading = fastest_seconds(threads, [&](int thread) {
    keep[thread] = stages::sum(memory.typed<double>().data() + thread * entries, entries);
  });
  limits.read_bytes_per_second = static_cast<double>(memory.bytes()) / reading;
  constexpr Index rounds = 1'000'000;
  const double f64 = fastest_seconds(
      threads, [&](int thread) { keep[thread] += stages::multiply_add_f64(rounds); });
  const double f32 = fastest_seconds(
      threads, [&](int thread) { keep[thread] += stages::multiply_add_f32(rounds); });
  limits.f64_flops_per_second = threads * stages::flops_f64(rounds) / f64;
  limits.f32_flops_per_second = threads * stages::flops_f32(rounds) / f32;
  return limits;
}

double read_once(const DenseTensor& tensor, int threads) {
  const auto words = static_cast<Index>(tensor.bytes() / sizeof(double));
  const auto* first = static_cast<const double*>(tensor.view().data());
  double total = 0;
#pragma omp parallel num_threads(threads) reduction(+ : total)
  {
    const Index begin = words * omp_get_thread_num() / threads;
    const Index end = words * (omp_get_thread_num() + 1) / threads;
    total += stages::sum(first + begin, end - begin);
  }
  return total;
}

double roof_seconds(const Limits& limits, const TensorView& tensor, Index rank,
                    Precision precision) {
  const auto entries = static_cast<double>(tensor.entries());
  const double bytes = entries * static_cast<double>(size_of(tensor.type()));
  const double flops = 6 * entries * static_cast<double>(rank);
  return std::max(bytes / limits.read_bytes_per_second,
                  flops / (precision == Precision::f64 ? limits.f64_flops_per_second
                                                       : limits.f32_flops_per_second));
}

namespace {

template <class Real>
std::vector<Real> row_major(const Matrix& factor) {
  std::vector<Real> values;
  for (Index i = 0; i < factor.rows(); ++i) {
    for (Index k = 0; k < factor.cols(); ++k) values.push_back(static_cast<Real>(factor(i, k)));
  }
  return values;
}

template <class T, class Real>
double staged(const TensorView& tensor, const CpModel& model, double threshold, int threads) {
  const Shape& shape = tensor.shape();
  const Index rank = model.rank();
  const std::vector<Real> b = row_major<Real>(model.factor(1));
  const std::vector<Real> c = row_major<Real>(model.factor(2).transpose());
  double total = 0;
#pragma omp parallel num_threads(threads) reduction(+ : total)
  {
    const auto slab = static_cast<std::size_t>(shape[1] * shape[2]);
    std::vector<Real> dense(slab);
    std::vector<Real> scaled(b.size());
    std::vector<Real> by_row(shape[1] * rank);
    std::vector<Real> by_column(shape[2] * rank);
#pragma omp for schedule(static)
    for (Index i = 0; i < shape[0]; ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        scaled[j] = b[j] * static_cast<Real>(model.factor(0)(i, static_cast<Index>(j) % rank));
      }
      stages::Slab<Real> work{shape[1], shape[2], rank, scaled.data(), c.data(), dense.data()};
      stages::model(work);
      stages::keep(work, tensor.typed<T>() + i * tensor.stride(0), static_cast<Real>(threshold));
      stages::over_columns(work, by_row.data());
      stages::over_rows(work, by_column.data());
    }
    for (const Real x : by_row) total += static_cast<double>(x);
    for (const Real x : by_column) total += static_cast<double>(x);
  }
  return total;
}

}  // namespace

double staged_pass(const TensorView& tensor, const CpModel& model, double threshold,
                   Precision precision, int threads) {
  if (precision == Precision::f64) return staged<double, double>(tensor, model, threshold, threads);
  return tensor.type() == ScalarType::u8
             ? staged<std::uint8_t, float>(tensor, model, threshold, threads)
             : staged<float, float>(tensor, model, threshold, threads);
}

}  // namespace sunder::benchmark
