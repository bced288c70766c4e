#pragma once
/// The answers of the steps of a run, in their order. A run that is resumed takes the same way
/// again, and each step that was done before gets its answer from the journal. The method therefore
/// needs no second form for resumed runs, and the result has the same bits.

#include <optional>
#include <string>
#include <vector>

#include "core/files/archive.hpp"
#include "sunder/core/communicator.hpp"
#include "sunder/core/state_keeper.hpp"

namespace sunder {

class Journal {
 public:
  /// If `keeper` is null, nothing is remembered.
  Journal(StateKeeper* keeper, const Communicator& communicator);

  /// Returns the answer of the next step if an earlier run has done it. Throws InputError if the
  /// earlier run did another step at this place.
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

  /// Hands all notes to the keeper, unless it has them already. Every process calls this.
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
  std::size_t next_ = 0;  ///< number of the next step
  std::size_t kept_ = 0;  ///< number of the steps that the keeper has
};

}  // namespace sunder
