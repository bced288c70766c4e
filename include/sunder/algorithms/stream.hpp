#pragma once
/// A robust CP model of slices that arrive one by one along the last mode of a tensor: L_t is a sum
/// of w_ti u_i o v_i o ..., with coefficients w_t of the slice's own and factors that persist and
/// may move slowly (docs/methods/stream.md).

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "sunder/core/cp_model.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

struct StreamOptions {
  int rank = 0;     ///< number of components of every slice; at least 1
  int warm_up = 0;  ///< slices that are decomposed together before the first decision; 0: chosen
                    ///< (3 rank, at least 6; 10 rank for slices of order one)
  double forgetting = 0;   ///< weight of a slice relative to the one after it, in (0, 1]; 0: chosen
                           ///< (0.9, or 1 where slices are too small to follow a movement)
  bool moving = true;      ///< the factors may move; false: they are taken to stand still over the
                           ///< window, which is more accurate under noise if they do
  int sweeps = 2;          ///< alternations of factors and coefficients for each slice
  double noise_width = 4;  ///< S holds residuals of at least this many standard deviations
  int threads = 0;         ///< 0: one for each processor; never changes the result

  bool operator==(const StreamOptions&) const = default;
};

/// The decision of the stream about one slice.
struct SliceDecision {
  Index slice = 0;                ///< its number, from 0
  Vector coefficients;            ///< w_t; zeros where there is no model yet
  std::vector<Index> positions;   ///< of S in the slice, in C order, ascending
  std::vector<double> values;     ///< of S
  double residual = 0;            ///< norm of T - L over that of T, on the entries not in S
  Index missing = 0;              ///< entries of the slice that are NaN
  bool warming_up = false;        ///< there is no model yet; the decision comes later
  bool relearning = false;        ///< the model changed and is not known yet; likewise
  bool explained = false;         ///< the model explains the slice as well as those before it
  bool subspace_changed = false;  ///< reported once for each change, by the second slice after it
  Index changed_at = -1;          ///< then, the first slice that the model did not explain
};

class RobustCpStream {
 public:
  /// `slice_shape` has order 1 to 7. Throws OptionError for options out of range, InputError for a
  /// shape or rank that cannot be.
  RobustCpStream(const Shape& slice_shape, const StreamOptions& options, std::uint64_t seed);
  /// A stream that goes on where save() left it, to the same bits. Throws InputError, naming the
  /// difference, for a file that is damaged, of another version, or of another shape or options.
  static RobustCpStream load(const std::filesystem::path& path, const Shape& slice_shape,
                             const StreamOptions& options, std::uint64_t seed);
  ~RobustCpStream();
  RobustCpStream(RobustCpStream&&) noexcept;
  RobustCpStream& operator=(RobustCpStream&&) noexcept;

  /// The next slice; NaN marks a missing entry. Throws InputError for another shape or an infinite
  /// entry, and is then as it was.
  SliceDecision push(const TensorView& slice);

  /// Decisions on earlier slices that the last push() made: those of the warm-up, or of the slices
  /// after a change, once there is a model for them. A later decision on a slice replaces an
  /// earlier one. Empty otherwise.
  const std::vector<SliceDecision>& late_decisions() const;

  /// L of a slice that the window still holds, with the factors of its time. After a decision, late
  /// or not, its slice is held. Throws InputError for any other.
  CpModel slice_model(Index slice) const;

  /// Factors of the persistent modes at the latest slice, columns of unit length; empty before
  /// there are any.
  const std::vector<Matrix>& factors() const;
  Index slices_seen() const;
  bool has_model() const;
  const StreamOptions& options() const;  ///< as given

  /// Everything that later decisions depend on. Written beside `path` and renamed. Throws
  /// OutputError or WriteError.
  void save(const std::filesystem::path& path) const;

 private:
  class State;
  explicit RobustCpStream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sunder
