#pragma once
/// The caller's mistakes, as exceptions. A numerical outcome is never an exception (see Outcome),
/// and a broken invariant is an assertion.

#include <stdexcept>
#include <string>

namespace sunder {

/// Base of every exception the library throws. The message is one sentence or two that say what
/// was expected, what came, and what to do about it.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option is unknown or has a value outside its range.
class OptionError : public Error {
 public:
  using Error::Error;
};

/// The data cannot be used: a missing or malformed file, an unsupported type, an infinite entry.
class InputError : public Error {
 public:
  using Error::Error;
};

/// The place for the results cannot be used: it is read-only, or holds something already.
class OutputError : public Error {
 public:
  using Error::Error;
};

/// Writing failed half way, for a reason outside the caller's control (disk full, device error).
class WriteError : public Error {
 public:
  using Error::Error;
};

/// Work that has no partial result (generating, reading) was cancelled through its callback.
/// Decompositions do not throw this; they return Outcome::cancelled.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
  explicit Cancelled(const std::string& what) : Error(what) {}
};

}  // namespace sunder
