#include "video/frames/image_input.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <charconv>
#include <optional>
#include <set>
#include <string_view>

#include "sunder/core/error.hpp"
#include "sunder/core/shape.hpp"

namespace sunder {

namespace fs = std::filesystem;

namespace {

/// `before%05dafter`: width 5.
struct NumberedName {
  std::string before;
  std::string after;
  std::size_t width = 0;

  std::string name(Index number) const {
    return fmt::format("{}{:0{}}{}", before, number, width, after);
  }
};

std::optional<NumberedName> parse_numbered(const std::string& name) {
  const std::size_t percent = name.find('%');
  if (percent == std::string::npos) return std::nullopt;
  const std::size_t end = name.find_first_not_of("0123456789", percent + 1);
  if (end == std::string::npos || name[end] != 'd' || end - percent > 4) return std::nullopt;
  NumberedName numbered{name.substr(0, percent), name.substr(end + 1)};
  std::from_chars(name.data() + percent + 1, name.data() + end, numbered.width);
  return numbered;
}

std::optional<Index> number_of(const std::string& name, const NumberedName& pattern) {
  const std::size_t around = pattern.before.size() + pattern.after.size();
  if (name.size() <= around || !name.starts_with(pattern.before) ||
      !name.ends_with(pattern.after)) {
    return std::nullopt;
  }
  Index number = -1;
  const char* const begin = name.data() + pattern.before.size();
  const char* const end = name.data() + name.size() - pattern.after.size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  // FFmpeg counts in int. The name must be the one that the pattern gives: not 7 for %04d.
  const bool counted = error == std::errc() && stop == end && number >= 0 && number < (1 << 30);
  if (!counted || pattern.name(number) != name) return std::nullopt;
  return number;
}

std::set<Index> numbers_in(const fs::path& folder, const NumberedName& pattern) {
  std::set<Index> numbers;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (const auto number = number_of(entry.path().filename().string(), pattern)) {
      numbers.insert(*number);
    }
  }
  return numbers;
}

/// FFmpeg looks for the first number among a few small ones only, and stops at a gap in silence.
void number_images(VideoInput& input, const fs::path& folder, const NumberedName& pattern) {
  const std::set<Index> numbers = numbers_in(folder, pattern);
  if (numbers.empty()) {
    throw InputError(fmt::format(
        "cannot read {}: no file has such a name; check the folder and the number of digits",
        input.name));
  }
  const Index first = *numbers.begin();
  input.options["pattern_type"] = "sequence";
  input.options["start_number"] = fmt::format("{}", first);
  Index run = 0;
  while (numbers.contains(first + run)) ++run;
  const Index left = std::ssize(numbers) - run;
  if (left == 0) return;
  input.gap = fmt::format("{} is missing: the {} images after it are not read",
                          pattern.name(first + run), left);
}

/// FFmpeg takes a pattern without a match for a video without frames.
void require_match(const VideoInput& input) {
  glob_t found{};
  const bool any = ::glob(input.url.c_str(), GLOB_NOSORT, nullptr, &found) == 0;
  ::globfree(&found);
  if (!any) {
    throw InputError(
        fmt::format("cannot read {}: no file has such a name; check the folder", input.name));
  }
}

}  // namespace

bool is_image_pattern(const std::string& name) {
  const std::string last = fs::path(name).filename().string();
  return last.find_first_of("*?") != std::string::npos || parse_numbered(last).has_value();
}

VideoInput image_input(const fs::path& pattern) {
  VideoInput input;
  input.name = pattern.string();
  // Absolute, so that no name is taken for an address; glob() would not know a prefix.
  input.url = fs::absolute(pattern).string();
  input.format = "image2";
  input.protocols = "file";
  input.has_rate = false;
  const fs::path folder = pattern.has_parent_path() ? pattern.parent_path() : fs::path(".");
  if (const auto numbered = parse_numbered(pattern.filename().string())) {
    number_images(input, folder, *numbered);
  } else {
    require_match(input);
    input.options["pattern_type"] = "glob";
  }
  return input;
}

}  // namespace sunder
