#pragma once
/// What the steps of a run have found. A run that goes on after an interruption takes the same way
/// again, and a step that was done before answers from the journal: the solver needs no second
/// form, and the result has the same bits.

#include <optional>
#include <string>
#include <vector>

#include "core/archive.hpp"
#include "sunder/core/communicator.hpp"
#include "sunder/core/state_keeper.hpp"

namespace sunder::robust {

class Journal {
 public:
  /// `keeper` may be null: then nothing is remembered.
  Journal(StateKeeper* keeper, const Communicator& communicator);

  /// The answer of the next step, if it was done before. Throws InputError if what was done then is
  /// another step.
  template <class Answer>
  std::optional<Answer> recall(const std::string& step) {
    if (next_ == records_.size()) return std::nullopt;
    StateReader reader(expect(step), "the checkpoint");
    Answer answer;
    reader(answer);
    reader.finish();
    return answer;
  }

  template <class Answer>
  void note(const std::string& step, Answer& answer) {
    if (keeper_ == nullptr) return;
    StateWriter writer;
    writer(answer);
    add(step, writer.bytes());
  }

  /// Keeps what has been noted since; all processes call it.
  void keep_now();

 private:
  struct Record {
    std::string step;
    std::vector<std::byte> answer;
  };
  template <class Archive>
  friend void describe(Archive& archive, Record& record) {
    archive(record.step);
    archive(record.answer);
  }
  const std::vector<std::byte>& expect(const std::string& step);
  void add(const std::string& step, std::vector<std::byte> answer);

  StateKeeper* keeper_;
  const Communicator& communicator_;
  std::vector<Record> records_;
  std::size_t next_ = 0;  ///< the step to come
  std::size_t kept_ = 0;  ///< steps that are in the keeper's hands
};

}  // namespace sunder::robust
