#pragma once
/// Random numbers that are the same on every platform and for any number of threads.
///
/// The generator is counter-based (Philox4x32-10, Salmon et al. 2011): number k of a stream is a
/// function of (seed, stream, k) alone. Code that fills entry i of a tensor seeks to position i, so
/// the result does not depend on how threads split the work. We implement the distributions
/// ourselves because those of the standard library differ between implementations. They use only
/// correctly rounded operations, not the platform's log and cos.

#include <array>
#include <cstdint>

namespace sunder {

class Rng {
 public:
  /// The seed is always explicit. Streams of the same seed are independent of each other.
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  /// Moves to the first number of a position; each position holds two numbers.
  void seek(std::uint64_t position) {
    position_ = position;
    available_ = 0;
  }

  std::uint64_t next();                      ///< uniform over all 64-bit values
  double uniform();                          ///< uniform in the open interval (0, 1)
  double uniform(double low, double high);   ///< uniform in (low, high)
  double normal();                           ///< standard normal
  std::uint64_t below(std::uint64_t bound);  ///< uniform in 0 .. bound-1, without bias
  bool bernoulli(double probability) { return uniform() < probability; }

  /// Lists the whole state of the generator for an archive.
  template <class Archive>
  friend void describe(Archive& archive, Rng& rng) {
    archive(rng.seed_);
    archive(rng.stream_);
    archive(rng.position_);
    archive(rng.block_[0]);
    archive(rng.block_[1]);
    archive(rng.available_);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t position_ = 0;
  std::array<std::uint64_t, 2> block_{};
  unsigned available_ = 0;  ///< how many numbers of block_ are still unused
};

/// Returns the quantile of the standard normal distribution for p in (0, 1) (Wichura 1988, AS 241).
double normal_quantile(double p);

}  // namespace sunder
