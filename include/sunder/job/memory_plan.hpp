#pragma once
/// How a tensor will be read, and what that will take. The plan is made before the work begins.

#include <cstdint>
#include <string>
#include <string_view>

#include "sunder/core/shape.hpp"

namespace sunder {

struct MemoryPlan {
  bool streamed = false;    ///< read part by part; otherwise loaded or mapped as a whole
  std::int64_t budget = 0;  ///< bytes that the process may use
  std::int64_t memory = 0;  ///< bytes that it will use, about
  /// From the file, about: of a method that samples, if its first core is good; of one that reads
  /// by passes, in each of them.
  std::int64_t bytes_to_read = 0;
  int passes = 1;                ///< over the tensor, if the first core is good; 0: not known
  Index window_entries = 0;      ///< read at a time
  std::int64_t core_memory = 0;  ///< bytes that are left for the method's own work

  /// One line for people.
  std::string in_words() const;
};

/// Reads "512M", "2G" or "1.5T", in powers of 1024, or a plain number of bytes. Throws OptionError,
/// which names the option, for any other text.
std::int64_t parse_bytes(std::string_view option, std::string_view text);

}  // namespace sunder
