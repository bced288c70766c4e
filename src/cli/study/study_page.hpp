#pragma once
/// The pages of a comparison and of a reproduction.

#include <optional>
#include <string>
#include <vector>

#include "cli/study/study_files.hpp"
#include "report/sections/section_data.hpp"
#include "sunder/study/comparison.hpp"

namespace sunder::cli {

std::string render_comparison(const std::string& input, const Comparison& comparison);

/// Renders errors and times over d for each panel, recovery over corruption for each rank, the
/// video experiment, and the comparison with the paper's claims.
std::string render_reproduction(const std::vector<CellSummary>& cells,
                                const std::vector<ActivityRow>& activity,
                                const std::optional<ImagesData>& pictures);

/// Shows the frames that have a hand-made mask, with that mask and those of the methods.
ImagesData activity_pictures(const TensorView& clip, const FrameMasks& truth,
                             const std::vector<ActivityRow>& rows);

struct FigureFile {
  std::string name;
  std::string svg;
};
/// Returns the same plots as files: fig1_a.svg, fig2_a.svg ..., phase_5.svg ....
std::vector<FigureFile> figure_files(const std::vector<CellSummary>& cells);

}  // namespace sunder::cli
