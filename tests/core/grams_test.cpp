#include "core/grams.hpp"

#include <gtest/gtest.h>

#include "sunder/core/rng.hpp"

namespace sunder {
namespace {

/// The Gram of a Khatri-Rao product is the product of the Grams.
TEST(Grams, OfOthersAreThoseOfTheirKhatriRaoProduct) {
  Rng rng(1);
  std::vector<Matrix> factors;
  for (const Index extent : {4, 5, 6}) {
    factors.emplace_back(Matrix::NullaryExpr(extent, 3, [&] { return rng.normal(); }));
  }
  const Matrix others[] = {khatri_rao(factors[1], factors[2]), khatri_rao(factors[0], factors[2]),
                           khatri_rao(factors[0], factors[1])};
  for (std::size_t skip = 0; skip < 3; ++skip) {
    const Matrix expected = others[skip].transpose() * others[skip];
    EXPECT_LT((gram_product_of_others(factors, skip) - expected).norm(), 1e-13 * expected.norm());
  }
}

TEST(Grams, OfOneFactor) {
  const Matrix factor = Matrix::Constant(3, 2, 2);
  EXPECT_EQ(gram_of(factor), Matrix::Constant(2, 2, 12));
}

}  // namespace
}  // namespace sunder
