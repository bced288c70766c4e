#pragma once
/// How a tensor is read, and what that will take, settled before the work begins.

#include <cstdint>
#include <string>

#include "sunder/algorithms/method.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::cli {

struct MemoryQuestion {
  int rank = 0;               ///< 0: to be chosen
  int threads = 0;            ///< 0: one for each processor
  bool lists_sparse = false;  ///< S would be held in memory
  std::int64_t budget = 0;    ///< bytes of each process; 0: 80% of what is free, shared by all
  int processes = 1;          ///< on this machine
  bool in_parts = false;      ///< whatever the memory: several processes read a share each
};

struct MemoryPlan {
  bool streamed = false;           ///< read part by part; otherwise loaded or mapped as a whole
  std::int64_t budget = 0;         ///< bytes that the process may use
  std::int64_t memory = 0;         ///< bytes that it will use, about
  std::int64_t bytes_to_read = 0;  ///< from the file, about, if the first core is good
  int passes = 1;                  ///< over the tensor, if the first core is good
  Index window_entries = 0;        ///< read at a time
  std::int64_t core_memory = 0;    ///< what is left for a core

  /// One line for people.
  std::string in_words() const;
};

/// Throws, naming the flag that would help, if the work cannot be done within the budget:
/// InputError where a budget was given, Error where the machine is too small.
MemoryPlan plan_memory(const TensorFile& file, const Method& method,
                       const MemoryQuestion& question);

/// "512M", "2G", "1.5T" in powers of 1024, or a plain number of bytes. Throws OptionError.
std::int64_t parse_bytes(const std::string& flag, const std::string& text);

}  // namespace sunder::cli
