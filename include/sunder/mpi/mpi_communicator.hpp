#pragma once
/// The processes of an MPI job. Part of the target sunder::mpi, which needs MPI.

#include "sunder/core/communicator.hpp"

namespace sunder {

/// All processes of MPI_COMM_WORLD. Only the thread that constructed it may call it.
class MpiCommunicator final : public Communicator {
 public:
  /// Initialises MPI unless the program has already done so.
  MpiCommunicator();
  /// Finalises MPI if the constructor initialised it. If an exception is in flight that the other
  /// processes do not know about, it aborts them instead, because they would wait for ever.
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void broadcast(std::span<double> values, int root) const override;
  void together(const std::function<void()>& work) const override;

 private:
  int rank_ = 0;
  int size_ = 1;
  bool owns_ = false;
  int exceptions_ = 0;           ///< exceptions in flight at construction
  mutable bool agreed_ = false;  ///< all processes threw the same failure
};

}  // namespace sunder
