#include "algorithms/robust_cp/certificate/noise_verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <string>

namespace sunder::robust {
namespace {

NoiseEvidence good() {
  NoiseEvidence evidence;
  evidence.known = true;
  evidence.match = evidence.cold = 0.999;
  evidence.chip = evidence.hold = evidence.structure = evidence.poorest_slice = 1;
  evidence.consistency = 100;
  evidence.box = 0.5;
  evidence.gain = 100;
  return evidence;
}

TEST(NoiseVerdict, GoodEvidenceIsConsistent) {
  const Certificate certificate = judge_under_noise(good());
  EXPECT_EQ(certificate.level, Certified::consistent);
  EXPECT_EQ(certificate.tests.size(), tests_of_consistent().size());
  for (const VerdictTest& test : certificate.tests) EXPECT_TRUE(test.passed) << test.name;
}

TEST(NoiseVerdict, WithoutEvidenceNothingIsSaid) {
  const Certificate certificate = judge_under_noise({});
  EXPECT_EQ(certificate.level, Certified::none);
  EXPECT_TRUE(certificate.tests.empty());
}

TEST(NoiseVerdict, EveryTestCanRefuseAndIsNamed) {
  for (const NoiseTest& test : tests_of_consistent()) {
    NoiseEvidence evidence = good();
    evidence.*(test.value) = test.at_most ? test.limit + 1 : test.limit - 1;
    const Certificate certificate = judge_under_noise(evidence);
    EXPECT_NE(certificate.level, Certified::consistent) << test.name;
    EXPECT_THAT(certificate.explanation, ::testing::HasSubstr("because"));
    EXPECT_FALSE(certificate.tests[test.number - 1].passed);
    evidence.*(test.value) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(judge_under_noise(evidence).level, Certified::consistent) << test.name;
  }
}

TEST(NoiseVerdict, StructureLeavesReproducible) {
  NoiseEvidence evidence = good();
  evidence.structure = 2.6;
  evidence.chip = 13;
  const Certificate certificate = judge_under_noise(evidence);
  EXPECT_EQ(certificate.level, Certified::reproducible);
  EXPECT_THAT(certificate.explanation, ::testing::HasSubstr("It is not consistent"));
}

TEST(NoiseVerdict, EveryTestOfReproducibleCanRefuseIt) {
  for (const NoiseTest& test : tests_of_reproducible()) {
    NoiseEvidence evidence = good();
    evidence.structure = 2;
    evidence.*(test.value) = test.at_most ? test.limit + 1 : test.limit - 1;
    EXPECT_EQ(judge_under_noise(evidence).level, Certified::none) << test.name;
  }
}

TEST(NoiseVerdict, TestsAreNumberedInOrder) {
  for (const auto tests : {tests_of_consistent(), tests_of_reproducible()}) {
    int number = 0;
    for (const NoiseTest& test : tests) EXPECT_EQ(test.number, ++number);
  }
}

TEST(NoiseVerdict, ThePageListsTheTests) {
  std::ifstream file(std::string(SUNDER_SOURCE_DIR) + "/docs/inference.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::size_t second = page.find("### The tests of reproducible");
  ASSERT_NE(second, std::string::npos);
  for (const NoiseTest& test : tests_of_consistent()) {
    const std::size_t at =
        page.find("\n" + std::to_string(test.number) + ". **" + std::string(test.name) + ".**");
    EXPECT_LT(at, second) << test.name;
  }
  for (const NoiseTest& test : tests_of_reproducible()) {
    EXPECT_NE(
        page.find("\n" + std::to_string(test.number) + ". **" + std::string(test.name) + ".**",
                  second),
        std::string::npos)
        << test.name;
  }
}

}  // namespace
}  // namespace sunder::robust
