// Ranks that differ or fail: errors on all of them, never a hang.
#include "ranks/on_ranks.hpp"

namespace tutti::test {
namespace {

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

Array<1, float> ramp(int64_t count) { return cast<float>(index(Shape<1>(count), 0)); }

TEST(RanksFaults, OtherOperationsAreFound) {
  const SplitFrom small(100);
  const std::string message = message_of([] {
    ranks::run_on_threads(3, [] {
      Array<1, float> a = ramp(10'000);
      if (ranks::rank() == 2) a = a * 2.0f;
      a.evaluate();
    });
  });
  EXPECT_NE(message.find("the ranks do different things"), std::string::npos) << message;
  EXPECT_NE(message.find("faults_test.cpp"), std::string::npos) << message;
}

TEST(RanksFaults, OtherConstantsAreFound) {
  const SplitFrom small(100);
  const std::string message = message_of([] {
    ranks::run_on_threads(2, [] {
      const Array<1, float> a = ramp(10'000) * static_cast<float>(ranks::rank());
      a.evaluate();
    });
  });
  EXPECT_NE(message.find("with other operations, shapes or constants"), std::string::npos)
      << message;
}

TEST(RanksFaults, ARankThatEndsEarlyIsFound) {
  const SplitFrom small(100);
  const std::string message = message_of([] {
    ranks::run_on_threads(2, [] {
      if (ranks::rank() == 1) ramp(10'000).evaluate();
    });
  });
  EXPECT_NE(message.find("rank 0 is to end the program, rank 1 to compute an array"),
            std::string::npos)
      << message;
}

TEST(RanksFaults, WhatARankThrowsEndsTheOthers) {
  const SplitFrom small(100);
  std::atomic<int> ended = 0;
  const std::string message = message_of([&] {
    ranks::run_on_threads(3, [&] {
      if (ranks::rank() == 1) throw Error("no more");
      try {
        ramp(10'000).evaluate();
      } catch (const RankError& error) {
        EXPECT_EQ(std::string(error.what()), "rank 1 failed: no more");
        ++ended;
        throw;
      }
    });
  });
  EXPECT_EQ(message, "no more");
  EXPECT_EQ(ended, 2);
}

}  // namespace
}  // namespace tutti::test
