#pragma once
/// An exception of one type whose message says certain things.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sunder::testing {

template <class E, class F>
void expect_error(F&& call, const std::vector<std::string>& parts) {
  try {
    call();
    ADD_FAILURE() << "no exception, where one was to say: " << ::testing::PrintToString(parts);
  } catch (const E& error) {
    for (const std::string& part : parts) EXPECT_THAT(error.what(), ::testing::HasSubstr(part));
  }
}

}  // namespace sunder::testing
