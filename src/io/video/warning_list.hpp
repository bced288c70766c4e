#pragma once
/// Warnings for people: no sentence twice, and not without end.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sunder/core/shape.hpp"

namespace sunder {

class WarningList {
 public:
  void add(std::string sentence) {
    if (std::find(sentences_.begin(), sentences_.end(), sentence) != sentences_.end()) return;
    if (sentences_.size() < most) {
      sentences_.push_back(std::move(sentence));
    } else {
      ++more_;
    }
  }

  std::vector<std::string> sentences() const {
    std::vector<std::string> all = sentences_;
    if (more_ > 0) all.push_back(fmt::format("and {} more warnings", more_));
    return all;
  }

 private:
  // A bad line can lose frames for days.
  static constexpr std::size_t most = 20;

  std::vector<std::string> sentences_;
  Index more_ = 0;
};

}  // namespace sunder
