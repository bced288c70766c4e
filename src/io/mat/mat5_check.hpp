#pragma once
/// Validation of MATLAB files of version 5, before matio trusts them.

#include <filesystem>

namespace sunder {

/// Throws InputError if the file is shorter than its elements claim, or if a variable claims more
/// than its own bytes can hold. matio itself reads zeros beyond the end of a cut-off file,
/// allocates as many modes, as long a name, and as many fields or cells as a header claims, and
/// follows cells within cells to any depth.
void require_sound_mat5(const std::filesystem::path& path);

}  // namespace sunder
