#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/cli.hpp"
#include "cli/info/info_theory.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::cli {

namespace {

// A larger file is read only in part, unless the user requests all of it.
constexpr double scan_limit_bytes = 2e9;
constexpr Index sample_entries = 32'000'000;

struct Contents {
  Index seen = 0;
  Index missing = 0;
  Index infinite = 0;
  Index zeros = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  double sum = 0;

  void add(double x) {
    ++seen;
    if (std::isnan(x)) {
      ++missing;
      return;
    }
    if (std::isinf(x)) {
      ++infinite;
      return;
    }
    zeros += x == 0 ? 1 : 0;
    smallest = std::min(smallest, x);
    largest = std::max(largest, x);
    sum += x;
  }
  Index finite() const { return seen - missing - infinite; }
};

/// Visits every entry of a slab in memory order.
void add_slab(const TensorView& slab, Contents& contents) {
  const std::array<int, max_order> modes = slab.modes_by_stride();
  const int order = slab.order();
  const int fastest = modes[order - 1];
  const Index length = slab.shape()[fastest];
  const Index runs = length == 0 ? 0 : slab.entries() / length;
  with_scalar_type(slab.type(), [&]<class T>() {
    for (Index run = 0; run < runs; ++run) {
      Index offset = 0;
      Index rest = run;
      for (int k = order - 2; k >= 0; --k) {
        const int mode = modes[k];
        offset += rest % slab.shape()[mode] * slab.stride(mode);
        rest /= slab.shape()[mode];
      }
      const T* first = slab.typed<T>() + offset;
      for (Index i = 0; i < length; ++i) {
        contents.add(static_cast<double>(first[i * slab.stride(fastest)]));
      }
    }
  });
}

struct InfoCommand {
  std::string input;
  bool full = false;
  TheoryRequest theory;
  ConsoleOptions console;

  ExitCode run() const;

 private:
  Contents scan(const TensorFile& file) const;
  void print(const TensorFile& file, const Contents& contents) const;
  void print_json(const TensorFile& file, const Contents& contents) const;
};

Contents InfoCommand::scan(const TensorFile& file) const {
  const double bytes =
      static_cast<double>(file.shape().entries()) * static_cast<double>(size_of(file.type()));
  const bool everything = full || bytes <= scan_limit_bytes;
  Contents contents;
  ProgressBar bar(console);
  const ProgressCallback progress = bar.callback();
  file.scan([&](const TensorView& slab) {
    add_slab(slab, contents);
    Progress now;
    now.stage = "reading";
    now.fraction = static_cast<double>(contents.seen) /
                   static_cast<double>(std::max<Index>(file.shape().entries(), 1));
    if (!everything && contents.seen >= sample_entries) return Continue::cancel;
    return report(progress, now);
  });
  stop_if_interrupted();
  return contents;
}

void InfoCommand::print(const TensorFile& file, const Contents& contents) const {
  const Shape shape = file.shape();
  const bool partial = contents.seen < shape.entries();
  const auto line = [](std::string_view name, const std::string& text) {
    fmt::print("  {:<9}{}\n", name, text);
  };
  fmt::print("{}\n", input);
  line("format", file.format());
  line("shape", fmt::format("{} (order {}, {} entries)", to_string(shape), shape.order(),
                            grouped_digits(shape.entries())));
  line("dtype", std::string(to_string(file.type())));
  line("order", file.layout());
  if (partial) {
    line("examined", fmt::format("the first {} entries only (--full reads all of them)",
                                 grouped_digits(contents.seen)));
  }
  line("range",
       contents.finite() > 0
           ? fmt::format("{:.6g} to {:.6g}, mean {:.6g}", contents.smallest, contents.largest,
                         contents.sum / static_cast<double>(contents.finite()))
           : "no finite entry");
  line("NaN", fmt::format("{}", grouped_digits(contents.missing)));
  if (contents.infinite > 0) {
    line("infinite",
         fmt::format("{} (a decomposition refuses these)", grouped_digits(contents.infinite)));
  }
  line("zero", fmt::format("{}", grouped_digits(contents.zeros)));
}

void InfoCommand::print_json(const TensorFile& file, const Contents& contents) const {
  const Shape shape = file.shape();
  nlohmann::ordered_json json;
  json["file"] = input;
  json["format"] = file.format();
  json["shape"] = std::vector<Index>(shape.begin(), shape.end());
  json["order"] = shape.order();
  json["entries"] = shape.entries();
  json["dtype"] = to_string(file.type());
  json["layout"] = file.layout();
  json["scanned_entries"] = contents.seen;
  const bool any = contents.finite() > 0;
  json["min"] = any ? nlohmann::ordered_json(contents.smallest) : nullptr;
  json["max"] = any ? nlohmann::ordered_json(contents.largest) : nullptr;
  json["mean"] =
      any ? nlohmann::ordered_json(contents.sum / static_cast<double>(contents.finite())) : nullptr;
  json["nan_count"] = contents.missing;
  json["inf_count"] = contents.infinite;
  json["zero_count"] = contents.zeros;
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

ExitCode InfoCommand::run() const {
  if (theory.wanted()) {
    if (full) {
      throw OptionError(
          "--full is for the range and the counts, which --theory does not show: omit one of them");
    }
    return theory.run(input, console);
  }
  const std::unique_ptr<TensorFile> file = open_tensor(input);
  const Contents contents = scan(*file);
  if (console.json) print_json(*file, contents);
  if (console.for_people()) print(*file, contents);
  return done;
}

}  // namespace

Command add_info(CLI::App& command) {
  auto state = std::make_shared<InfoCommand>();
  command
      .add_option("tensor", state->input,
                  "the file: .npy, .mat[:NAME], .h5[:/GROUP/NAME] or a video")
      ->required()
      ->type_name("FILE");
  command.add_flag("--full", state->full,
                   "read all of a large file to find the range and the counts");
  state->theory.add_flags(command);
  state->console.add_flags(command);
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
