#pragma once
/// The methods by name, with their options by name. The command line, other languages and the
/// documentation are made from these tables, so that they cannot drift apart.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sunder/algorithms/constraints.hpp"
#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/entry_reader.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct MethodOption {
  std::string name;        ///< in words joined by hyphens: "max-iterations"
  std::string value;       ///< the present value, which is the default at first
  std::string meaning;     ///< one line
  bool is_switch = false;  ///< its values are "true" and "false"
};

/// What a method takes besides the tensor, its factors and S, for those who plan memory.
struct MethodNeeds {
  std::int64_t work_memory = 0;     ///< bytes of a fixed size for its own work
  Index columns_per_component = 0;  ///< fibres of each mode that it samples; 0: it reads by passes
};

/// What a method can do besides decomposing a tensor in memory. It refuses what it cannot do before
/// it starts.
struct MethodAbilities {
  bool stored = false;        ///< tensors larger than memory, within RunOptions::memory
  bool checkpoints = false;   ///< RunOptions::state_keeper
  bool processes = false;     ///< RunOptions::communicator
  bool chooses_rank = false;  ///< RunOptions::rank may be 0
  std::string sentence = {};  ///< says what it cannot do; empty if it can do everything
  MethodNeeds needs = {};
};

class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;  ///< one line
  virtual std::vector<MethodOption> options() const = 0;
  /// Throws OptionError for a name the method does not have or a value of the wrong kind.
  virtual void set(std::string_view option, std::string_view value) = 0;

  virtual MethodAbilities abilities() const = 0;
  bool takes_stored() const { return abilities().stored; }
  bool keeps_state() const { return abilities().checkpoints; }
  bool runs_in_processes() const { return abilities().processes; }

  /// Throws OptionError for a field of the run that the method cannot heed.
  virtual Decomposition decompose(const TensorView& tensor, const RunOptions& run) const = 0;
  /// Decomposes a tensor that is larger than memory. Throws InputError if the method cannot.
  virtual Decomposition decompose(const StoredTensor& tensor, const RunOptions& run) const = 0;
};

/// Every method, the default one first.
std::vector<std::string> method_names();

/// Throws OptionError, which lists the names, for an unknown one.
std::unique_ptr<Method> make_method(std::string_view name);

/// The options of the run, which are the same for every method (RunOptions).
std::vector<MethodOption> run_option_table();

/// Parses a whole number of at least 1, or "auto", which gives 0. Throws OptionError for anything
/// else.
int parse_rank(std::string_view text);

/// Parses a list of modes as in 1,2, "none" or "auto". Throws OptionError for anything else.
SmoothModes parse_smooth(std::string_view text);

}  // namespace sunder
