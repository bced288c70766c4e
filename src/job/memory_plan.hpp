#pragma once
/// Decides how a tensor is read (sunder/job/memory_plan.hpp).

#include <cstdint>

#include "sunder/algorithms/method.hpp"
#include "sunder/io/tensor_file.hpp"
#include "sunder/job/memory_plan.hpp"

namespace sunder {

struct MemoryQuestion {
  int rank = 0;               ///< 0: to be chosen
  int threads = 0;            ///< 0: one for each processor
  bool lists_sparse = false;  ///< S would be held in memory
  std::int64_t budget = 0;    ///< bytes of each process; 0: 80% of what is free, shared by all
  int processes = 1;          ///< on this machine
  bool in_parts = false;      ///< whatever the memory: several processes read a share each
};

/// Throws, naming the option that would help, if the work cannot be done within the budget:
/// InputError where a budget was given, Error where the machine is too small.
MemoryPlan plan_memory(const TensorFile& file, const Method& method,
                       const MemoryQuestion& question);

}  // namespace sunder
