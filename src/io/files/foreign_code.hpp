#pragma once
/// Libraries that read files in formats of their own are not safe against every file. Where one of
/// them crashes there is no way back, but it can be said whose fault it was.

namespace sunder {

/// While one lives, this thread is in the code of `library`.
class ForeignCode {
 public:
  explicit ForeignCode(const char* library);
  ~ForeignCode();
  ForeignCode(const ForeignCode&) = delete;
  ForeignCode& operator=(const ForeignCode&) = delete;

  /// The library that this thread is in; null if it is in none. A signal handler may ask.
  static const char* at_work();

 private:
  const char* before_;
};

}  // namespace sunder
