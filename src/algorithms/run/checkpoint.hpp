#pragma once
/// The state of an iteration, kept so that another run can resume it. The state is small: each one
/// replaces the one before it.

#include <string>
#include <vector>

#include "core/files/archive.hpp"
#include "sunder/core/communicator.hpp"
#include "sunder/core/cp_model.hpp"
#include "sunder/core/state_keeper.hpp"

namespace sunder {

/// For states that hold a model.
template <class Archive>
void describe(Archive& archive, CpModel& model) {
  Vector weights = model.weights();
  std::vector<Matrix> factors = model.factors();
  archive(weights);
  archive(factors);
  model = CpModel(std::move(weights), std::move(factors));
}

class Checkpoint {
 public:
  /// If `keeper` is null, nothing is kept. `method` is stored with the state.
  Checkpoint(StateKeeper* keeper, const Communicator& communicator, std::string method)
      : keeper_(keeper), communicator_(communicator), method_(std::move(method)) {}

  bool wanted() const { return keeper_ != nullptr; }

  /// Reads the state that an earlier run has kept; false if there is none. Throws InputError for
  /// the state of another method and for bytes that are no state.
  template <class State>
  bool restore(State& state) {
    if (keeper_ == nullptr || keeper_->kept().empty()) return false;
    StateReader reader(keeper_->kept(), "the checkpoint");
    require_method(reader);
    reader(state);
    reader.finish();
    return true;
  }

  /// Remembers the state, and hands it to the keeper if that is due. Every process calls this.
  template <class State>
  void offer(State& state) {
    if (keeper_ == nullptr) return;
    StateWriter writer;
    writer(method_);
    writer(state);
    offer_bytes(writer.bytes());
  }

  /// Hands the last state to the keeper, unless it has it already. Every process calls this.
  void keep_now();

 private:
  void require_method(StateReader& reader) const;
  void offer_bytes(std::vector<std::byte> bytes);

  StateKeeper* keeper_;
  const Communicator& communicator_;
  std::string method_;
  std::vector<std::byte> latest_;
  bool kept_ = true;  ///< the keeper has `latest_`
};

}  // namespace sunder
