#include "io/files/delayed_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace sunder {

void* DelayedLibrary::symbol(const char* name) const {
  // Whoever opens a library that is loaded already gets the same one. It is never closed: what it
  // holds is used until the program ends.
  void* const library = dlopen(file_, RTLD_LAZY | RTLD_LOCAL);
  void* const address = library == nullptr ? nullptr : dlsym(library, name);
  if (address != nullptr) return address;
  const char* const reason = dlerror();
  throw MissingLibrary(fmt::format("{} need {}, which cannot be used here ({}); install it",
                                   purpose_, file_, reason == nullptr ? "unknown reason" : reason));
}

}  // namespace sunder
