#include "io/files/foreign_code.hpp"

#include <utility>

namespace sunder {

namespace {

// A signal handler can only access globals.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
thread_local const char* library_at_work = nullptr;

}  // namespace

ForeignCode::ForeignCode(const char* library) : before_(std::exchange(library_at_work, library)) {}

ForeignCode::~ForeignCode() { library_at_work = before_; }

const char* ForeignCode::at_work() { return library_at_work; }

}  // namespace sunder
