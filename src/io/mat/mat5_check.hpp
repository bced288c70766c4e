#pragma once
/// MATLAB files of version 5, as far as matio believes what they say.

#include <filesystem>

namespace sunder {

/// matio reads a cut-off file as far as it goes, and zeros from there on; it allocates as many
/// modes, as long a name, and as many fields or cells as a header promises, and follows cells
/// within cells to any depth. Throws InputError if the file is shorter than its elements promise,
/// or a variable in it promises what its own bytes cannot hold.
void require_sound_mat5(const std::filesystem::path& path);

}  // namespace sunder
