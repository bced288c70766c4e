// Compiled with -ffp-contract=off: a fused multiply-add on one platform and not on another would
// change the last bits (see CMakeLists.txt).
#include "sunder/core/rng.hpp"

#include <cassert>
#include <cmath>

namespace sunder {

namespace {

struct Block {
  std::array<std::uint32_t, 4> word;
};

/// Philox4x32 with ten rounds; constants from Salmon et al. 2011, table 2.
Block philox(Block counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * counter.word[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * counter.word[2];
    counter.word = {static_cast<std::uint32_t>(p1 >> 32) ^ counter.word[1] ^ key0,
                    static_cast<std::uint32_t>(p1),
                    static_cast<std::uint32_t>(p0 >> 32) ^ counter.word[3] ^ key1,
                    static_cast<std::uint32_t>(p0)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return counter;
}

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
std::uint64_t join(std::uint32_t upper, std::uint32_t lower) {
  return (std::uint64_t{upper} << 32) | lower;
}

/// Computes the natural logarithm from correctly rounded operations alone: x = m 2^e with m near 1,
/// and log m = 2 atanh((m-1)/(m+1)) as a series. |s| <= 0.172, so s^22 is below rounding.
double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752440) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double s2 = s * s;
  double series = 0;
  for (int k = 21; k >= 1; k -= 2) series = series * s2 + 1.0 / k;
  return 2 * s * series + exponent * 0.69314718055994530942;
}

template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = 0;
  for (std::size_t k = N; k > 0; --k) sum = sum * x + coefficients[k - 1];
  return sum;
}

}  // namespace

std::uint64_t Rng::next() {
  if (available_ == 0) {
    const Block counter{{low(position_), high(position_), low(stream_), high(stream_)}};
    const Block random = philox(counter, low(seed_), high(seed_));
    block_ = {join(random.word[1], random.word[0]), join(random.word[3], random.word[2])};
    available_ = 2;
    ++position_;
  }
  return block_[2 - available_--];
}

double Rng::uniform() {
  // Take 52 bits and shift by half a step, so that neither 0 nor 1 occurs.
  return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52;
}

double Rng::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Rng::normal() { return normal_quantile(uniform()); }

std::uint64_t Rng::below(std::uint64_t bound) {
  assert(bound > 0);
  const std::uint64_t excess = (0 - bound) % bound;  // 2^64 mod bound
  std::uint64_t x = next();
  while (x < excess) x = next();
  return x % bound;
}

double normal_quantile(double p) {
  static constexpr std::array<double, 8> a{3.3871328727963666080e0, 1.3314166789178437745e2,
                                           1.9715909503065514427e3, 1.3731693765509461125e4,
                                           4.5921953931549871457e4, 6.7265770927008700853e4,
                                           3.3430575583588128105e4, 2.5090809287301226727e3};
  static constexpr std::array<double, 8> b{1.0,
                                           4.2313330701600911252e1,
                                           6.8718700749205790830e2,
                                           5.3941960214247511077e3,
                                           2.1213794301586595867e4,
                                           3.9307895800092710610e4,
                                           2.8729085735721942674e4,
                                           5.2264952788528545610e3};
  static constexpr std::array<double, 8> c{1.42343711074968357734e0,  4.63033784615654529590e0,
                                           5.76949722146069140550e0,  3.64784832476320460504e0,
                                           1.27045825245236838258e0,  2.41780725177450611770e-1,
                                           2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr std::array<double, 8> d{1.0,
                                           2.05319162663775882187e0,
                                           1.67638483018380384940e0,
                                           6.89767334985100004550e-1,
                                           1.48103976427480074590e-1,
                                           1.51986665636164571966e-2,
                                           5.47593808499534494600e-4,
                                           1.05075007164441684324e-9};
  static constexpr std::array<double, 8> e{6.65790464350110377720e0,  5.46378491116411436990e0,
                                           1.78482653991729133580e0,  2.96560571828504891230e-1,
                                           2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                           2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr std::array<double, 8> f{1.0,
                                           5.99832206555887937690e-1,
                                           1.36929880922735805310e-1,
                                           1.48753612908506148525e-2,
                                           7.86869131145613259100e-4,
                                           1.84631831751005468180e-5,
                                           1.42151175831644588870e-7,
                                           2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-portable_log(q < 0 ? p : 1 - p));
  const double x = r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6)
                          : polynomial(e, r - 5) / polynomial(f, r - 5);
  return q < 0 ? -x : x;
}

}  // namespace sunder
