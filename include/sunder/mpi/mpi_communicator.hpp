#pragma once
/// The processes of an MPI job. In the target sunder::mpi, where MPI was found.

#include "sunder/core/communicator.hpp"

namespace sunder {

/// All processes of MPI_COMM_WORLD. Calls come from the thread that made it.
class MpiCommunicator final : public Communicator {
 public:
  /// Initialises MPI unless the program has done so.
  MpiCommunicator();
  /// Finalises MPI if the constructor initialised it. While an exception is on its way that the
  /// other processes know nothing of, they are ended instead: they would wait for ever.
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
  int exceptions_ = 0;           ///< on their way when it was made
  mutable bool agreed_ = false;  ///< a failure was thrown by all processes
};

}  // namespace sunder
