#pragma once
/// Marks calls into libraries that read foreign formats, because those libraries are not safe
/// against every file. Nothing can recover from a crash there, but the error message can name the
/// library.

namespace sunder {

/// While an object lives, this thread executes code of `library`.
class ForeignCode {
 public:
  explicit ForeignCode(const char* library);
  ~ForeignCode();
  ForeignCode(const ForeignCode&) = delete;
  ForeignCode& operator=(const ForeignCode&) = delete;

  /// Returns the library that this thread executes, or null. A signal handler may call it.
  static const char* at_work();

 private:
  const char* before_;
};

}  // namespace sunder
