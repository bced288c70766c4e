// A result folder whose files are pieces of the input, or the summary in it.
#include "sunder/io/result_folder.hpp"

#include "fuzz.hpp"
#include "report/report.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sunder;
  static const fuzz::Scratch scratch;
  const std::string text(data, data + size);
  if (text.starts_with('{')) return fuzz::expect_answer_or_error([&] { read_summary(text); });
  // Pieces of equal length, so that seeds are easily made and mutations stay where they are.
  const char* const names[] = {"factors_0.npy", "factors_1.npy",     "factors_2.npy",
                               "weights.npy",   "sparse_coords.npy", "sparse_values.npy"};
  const std::size_t piece = size / std::size(names);
  for (std::size_t k = 0; k < std::size(names); ++k) {
    scratch.file(names[k], {data + k * piece, piece});
  }
  return fuzz::expect_answer_or_error([&] { read_low_rank_plus_sparse(scratch.path()); });
}
