#pragma once
/// The methods by name, with their options by name: what the command line, other languages and the
/// documentation are made from, so that they cannot drift apart.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sunder/algorithms/decomposition.hpp"
#include "sunder/algorithms/options.hpp"
#include "sunder/core/entry_reader.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct MethodOption {
  std::string name;        ///< as a flag without its dashes: "max-iterations"
  std::string value;       ///< the present value, the default at first
  std::string meaning;     ///< one line
  bool is_switch = false;  ///< its values are "true" and "false"
};

class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;  ///< one line
  virtual std::vector<MethodOption> options() const = 0;
  /// Throws OptionError for a name the method does not have or a value of the wrong kind.
  virtual void set(std::string_view option, std::string_view value) = 0;
  virtual Decomposition decompose(const TensorView& tensor, const RunOptions& run) const = 0;
  /// Whether it can go on after an interruption (RunOptions::state_keeper).
  virtual bool keeps_state() const = 0;
  /// Whether it can work on a tensor that is larger than memory.
  virtual bool takes_stored() const = 0;
  /// Throws InputError unless it can.
  virtual Decomposition decompose(const StoredTensor& tensor, const RunOptions& run) const = 0;
};

/// Every method, the default one first.
std::vector<std::string> method_names();

/// Throws OptionError, with the names there are, for an unknown one.
std::unique_ptr<Method> make_method(std::string_view name);

/// A whole number of at least 1, or 0 for "auto". Throws OptionError for anything else.
int parse_rank(std::string_view text);

}  // namespace sunder
