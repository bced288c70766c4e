#include "algorithms/run/journal.hpp"

#include <fmt/format.h>

#include "sunder/core/error.hpp"

namespace sunder {

Journal::Journal(StateKeeper* keeper, const Communicator& communicator)
    : keeper_(keeper), communicator_(communicator) {
  if (keeper_ == nullptr || keeper_->kept().empty()) return;
  StateReader reader(keeper_->kept(), "the checkpoint");
  reader(records_);
  reader.finish();
  kept_ = records_.size();
}

const std::vector<std::byte>& Journal::expect(const std::string& step) {
  const Record& record = records_[next_];
  if (record.step != step) {
    throw InputError(fmt::format(
        "the checkpoint does not fit: it goes on with '{}', but this run with '{}'; begin anew "
        "without it",
        record.step, step));
  }
  ++next_;
  return record.answer;
}

void Journal::add(const std::string& step, std::vector<std::byte> answer) {
  records_.push_back({step, std::move(answer)});
  next_ = records_.size();
  double due = keeper_->due() ? 1 : 0;  // clocks differ
  communicator_.broadcast(std::span(&due, 1), 0);
  if (due > 0) keep_now();
}

void Journal::keep_now() {
  if (keeper_ == nullptr || kept_ == records_.size()) return;
  communicator_.together([&] {
    if (communicator_.rank() != 0) return;
    StateWriter writer;
    writer(records_);
    keeper_->keep(writer.bytes());
  });
  kept_ = records_.size();
}

}  // namespace sunder
