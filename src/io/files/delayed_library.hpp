#pragma once
/// Shared libraries that are loaded when one of their functions is first called. FFmpeg brings more
/// than a hundred other libraries with it, and loading them takes longer than many a decomposition.

#include <atomic>

#include "sunder/core/error.hpp"

namespace sunder {

/// A library is not installed, or is another version than that of the headers.
class MissingLibrary : public InputError {
 public:
  using InputError::InputError;
};

class DelayedLibrary {
 public:
  /// @param file     its name with the version of the headers, "libavutil.so.57"
  /// @param purpose  what needs it, for the error: "videos"
  constexpr DelayedLibrary(const char* file, const char* purpose)
      : file_(file), purpose_(purpose) {}

  /// The address of one of its symbols. Throws MissingLibrary if there is no such library, or if it
  /// lacks the symbol.
  void* symbol(const char* name) const;

 private:
  const char* file_;
  const char* purpose_;
};

template <class Function>
class DelayedFunction;

/// A function of such a library, to be called like the function itself.
template <class Result, class... Arguments>
class DelayedFunction<Result(Arguments...)> {
 public:
  constexpr DelayedFunction(const DelayedLibrary& library, const char* name)
      : library_(&library), name_(name) {}

  Result operator()(Arguments... arguments) { return address()(arguments...); }

 private:
  using Address = Result (*)(Arguments...);

  Address address() {
    Address known = address_.load(std::memory_order_acquire);
    if (known == nullptr) {
      known = reinterpret_cast<Address>(library_->symbol(name_));
      address_.store(known, std::memory_order_release);
    }
    return known;
  }

  const DelayedLibrary* library_;
  const char* name_;
  std::atomic<Address> address_{nullptr};
};

/// Declares an object of the name of a function, in a namespace of ours. There, a call finds the
/// object before the function, so that the program does not refer to the library.
#define SUNDER_DELAYED(library, function) \
  inline constinit DelayedFunction<decltype(::function)> function { library, #function }

}  // namespace sunder
