#include "sunder/study/study.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "core/stopwatch.hpp"
#include "sunder/algorithms/evaluation.hpp"
#include "sunder/algorithms/method.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

constexpr std::array figure_methods{"rtd-als",       "rtd-whiten-slice", "rtd-whiten-true",
                                    "altproj-slice", "altproj-flat",     "robust-cp"};
constexpr std::array phase_methods{
    "robust-cp", "rtd-als", "rtd-whiten-slice", "altproj-slice",   "altproj-flat", "pcp-slice",
    "pcp-flat",  "horpca",  "horpca-c",         "accaltproj-flat", "ircur-flat",   "shah"};

PlantedTensor problem_of(const StudySetting& setting) {
  PlantedOptions options;
  options.shape = Shape{setting.n, setting.n, setting.n};
  options.rank = setting.rank;
  options.support = setting.support;
  options.density = setting.density;
  options.seed = setting.seed;
  return generate_planted(options);
}

StudyResult run_one(const StudySetting& setting, double time_limit,
                    const std::atomic<bool>& stopped) {
  StudyResult result;
  result.setting = setting;
  result.error = 1;
  const PlantedTensor planted = problem_of(setting);
  const ProcessorClock clock;  // each run has one thread, and there are as many runs as processors
  RunOptions run;
  run.rank = setting.rank;
  run.seed = setting.seed;
  run.threads = 1;
  run.collect_sparse = false;
  run.true_low_rank = &planted.low_rank;
  run.progress = [&](const Progress&) {
    return stopped || clock.seconds() > time_limit ? Continue::cancel : Continue::yes;
  };
  try {
    const Decomposition found = make_method(setting.method)->decompose(planted.tensor.view(), run);
    result.seconds = clock.seconds();
    result.passes = found.passes;
    result.certified = found.certificate.level;
    if (found.outcome == Outcome::cancelled) {
      result.status = "over budget";
      return result;
    }
    result.status = to_string(found.outcome);
    result.error = found.low_rank.distance(planted.low_rank) / planted.low_rank.norm();
  } catch (const std::exception& error) {
    result.seconds = clock.seconds();
    result.status = error.what();
  }
  return result;
}

/// Formats the remaining time as "about 14 min left".
std::string time_left(double seconds) {
  if (seconds < 90) return fmt::format("about {:.0f} s left", seconds);
  if (seconds < 5400) return fmt::format("about {:.0f} min left", seconds / 60);
  return fmt::format("about {:.1f} h left", seconds / 3600);
}

}  // namespace

std::string label_of(const std::string& method) {
  if (method == "rtd-als") return "T-RPCA";
  if (method == "rtd-whiten-slice") return "T-RPCA-W(slice)";
  if (method == "rtd-whiten-true") return "T-RPCA-W(true)";
  if (method == "altproj-slice") return "M-RPCA(slice)";
  if (method == "altproj-flat") return "M-RPCA(flat)";
  return method;
}

std::vector<StudySetting> figure_settings(int n, int runs, bool quick) {
  struct Panel {
    const char* name;
    int rank;
    Support support;
  };
  const int high = quick ? 10 : 25;
  std::vector<StudySetting> settings;
  for (const Panel& panel : {Panel{"a", 5, Support::uniform}, Panel{"b", high, Support::uniform},
                             Panel{"c", 5, Support::block}, Panel{"d", high, Support::block}}) {
    for (const double density : quick ? std::vector{0.1, 0.3} : std::vector{0.1, 0.2, 0.3, 0.4}) {
      for (int run = 1; run <= runs; ++run) {
        for (const char* method : figure_methods) {
          settings.push_back({panel.name, method, n, panel.rank, panel.support, density,
                              static_cast<std::uint64_t>(run)});
        }
      }
    }
  }
  return settings;
}

std::vector<StudySetting> phase_settings(int n, int runs, bool quick) {
  std::vector<StudySetting> settings;
  for (const int rank : quick ? std::vector{2, 8} : std::vector{1, 2, 5, 10, 15, 20}) {
    for (const double density : quick ? std::vector{0.1, 0.4, 0.7}
                                      : std::vector{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}) {
      for (int run = 1; run <= runs; ++run) {
        for (const char* method : phase_methods) {
          settings.push_back({"phase", method, n, rank, Support::uniform, density,
                              static_cast<std::uint64_t>(run)});
        }
      }
    }
  }
  return settings;
}

void run_study(const std::vector<StudySetting>& settings, const StudyOptions& options) {
  std::atomic<bool> stopped = false;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  std::mutex handing_over;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t k = next++; k < settings.size() && !stopped; k = next++) {
      try {
        const StudyResult result = run_one(settings[k], options.time_limit, stopped);
        const std::scoped_lock lock(handing_over);
        if (!stopped && options.on_result) options.on_result(result);
      } catch (...) {
        const std::scoped_lock lock(handing_over);
        failure = std::current_exception();
        stopped = true;
      }
      ++done;
    }
  };
  const auto processors = static_cast<int>(std::thread::hardware_concurrency());
  const int workers = options.workers > 0 ? options.workers : std::max(processors, 1);
  std::vector<std::jthread> threads;
  for (int k = 0; k < workers; ++k) threads.emplace_back(work);
  const Stopwatch clock;
  bool cancelled = false;
  while (done < settings.size() && !stopped) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const std::size_t finished = done;
    const auto all = static_cast<double>(settings.size());
    const double left = clock.seconds() / static_cast<double>(std::max<std::size_t>(finished, 1)) *
                        (all - static_cast<double>(finished));
    const std::string stage = finished == 0 ? fmt::format("0 of {} runs", settings.size())
                                            : fmt::format("{} of {} runs, {}", finished,
                                                          settings.size(), time_left(left));
    Progress progress;
    progress.stage = stage;
    progress.fraction = static_cast<double>(finished) / all;
    if (report(options.progress, progress) == Continue::cancel) stopped = cancelled = true;
  }
  threads.clear();  // joins
  if (failure) std::rethrow_exception(failure);
  if (cancelled) throw Cancelled();
}

}  // namespace sunder
