#pragma once
/// Processes that are threads: what several machines do, inside one test.

#include <algorithm>
#include <barrier>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "sunder/core/communicator.hpp"

namespace sunder::test {

class ThreadCommunicator final : public Communicator {
 public:
  struct Shared {
    explicit Shared(int ranks) : barrier(ranks), failures(static_cast<std::size_t>(ranks)) {}
    std::barrier<> barrier;
    std::span<double> values;
    std::vector<std::exception_ptr> failures;
    std::int64_t words = 0;  ///< that were sent, each counted once
  };

  ThreadCommunicator(int rank, int size, std::shared_ptr<Shared> shared)
      : rank_(rank), size_(size), shared_(std::move(shared)) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void broadcast(std::span<double> values, int root) const override {
    if (rank_ == root) {
      shared_->values = values;
      shared_->words += static_cast<std::int64_t>(values.size());
    }
    shared_->barrier.arrive_and_wait();
    if (rank_ != root) std::copy(shared_->values.begin(), shared_->values.end(), values.begin());
    shared_->barrier.arrive_and_wait();
  }
  std::int64_t words() const { return shared_->words; }
  void together(const std::function<void()>& work) const override {
    std::exception_ptr& own = shared_->failures[rank_];
    own = nullptr;
    try {
      work();
    } catch (...) {
      own = std::current_exception();
    }
    shared_->barrier.arrive_and_wait();
    std::exception_ptr first;
    for (const std::exception_ptr& failure : shared_->failures) {
      if (!first) first = failure;
    }
    shared_->barrier.arrive_and_wait();
    if (first) std::rethrow_exception(first);
  }

 private:
  int rank_;
  int size_;
  std::shared_ptr<Shared> shared_;
};

/// Calls work(communicator) for every rank, each in a thread of its own.
inline void run_ranks(int ranks,
                      const std::function<void(std::shared_ptr<const Communicator>)>& work) {
  const auto shared = std::make_shared<ThreadCommunicator::Shared>(ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back(
        [&, rank] { work(std::make_shared<ThreadCommunicator>(rank, ranks, shared)); });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace sunder::test
