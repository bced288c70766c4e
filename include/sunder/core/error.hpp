#pragma once
/// Exceptions for the caller's mistakes. A numerical outcome is never an exception (see Outcome),
/// and a broken invariant is an assertion.

#include <stdexcept>
#include <string>

namespace sunder {

/// The base of every exception that the library throws. The message says in one or two sentences
/// what was expected, what was found instead, and what to do about it.
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

/// The destination of the results cannot be used: it is read-only or already holds something.
class OutputError : public Error {
 public:
  using Error::Error;
};

/// Writing failed part-way for a reason outside the caller's control (disk full, device error).
class WriteError : public Error {
 public:
  using Error::Error;
};

/// The callback cancelled work that has no partial result (generating, reading). Decompositions do
/// not throw this; they return Outcome::cancelled.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
  explicit Cancelled(const std::string& what) : Error(what) {}
};

}  // namespace sunder
