// How much time each of two evaluators of a form gets (nesl/eval/race/form_race.hpp).
#include "nesl/eval/race/form_race.hpp"

#include <gtest/gtest.h>

#include "nesl/core/core.hpp"

namespace tutti::nesl_test {
namespace {

using nesl::CoreExpr;
using nesl::FormRace;
using std::chrono::milliseconds;

constexpr int whole_share = 16;

class FormRaceTest : public testing::Test {
 protected:
  // How long both have worked.
  FormRace::Times times;
  FormRace race{[this] { return times; }};
  const CoreExpr each{};

  void host_works(int time) {
    times.host += milliseconds(time);
    times.clock += milliseconds(time);
  }
  void time_passes(int time) { times.clock += milliseconds(time); }
  void other_works(int time) { times.other += milliseconds(time); }
  // Both end an apply-to-each `count` times.
  void end_all(int count, int host_time, int other_time) {
    for (int i = 0; i < count; ++i) {
      host_works(host_time);
      race.note_host_end(each);
    }
    race.begin(1);
    for (int i = 0; i < count; ++i) {
      other_works(other_time);
      race.note_end(each);
    }
  }
};

TEST_F(FormRaceTest, TheOneThatFlattensGetsAShare) {
  race.begin(1);
  EXPECT_TRUE(race.must_wait());  // the first kernels take longer than its share
  host_works(16 * 45);
  EXPECT_FALSE(race.must_wait());
  other_works(10);
  EXPECT_TRUE(race.must_wait());
  EXPECT_FALSE(race.host_waits());
  race.leave_to_other();
  EXPECT_FALSE(race.must_wait());
}

TEST_F(FormRaceTest, AWholeShareHasNoBound) {
  race.begin(whole_share);
  EXPECT_TRUE(race.is_unbounded());
  other_works(1000);
  EXPECT_FALSE(race.must_wait());
}

// The machine has sixteen processors, but other programs or a quota take most of them.
TEST_F(FormRaceTest, WhereTheHostIsStarvedTheShareIsSmall) {
  race.begin(15);
  host_works(1000);
  other_works(800);
  EXPECT_FALSE(race.must_wait());
  time_passes(1100);
  EXPECT_TRUE(race.must_wait());
  race.note_host_wait(milliseconds(200));  // it was asked to
  EXPECT_FALSE(race.must_wait());
  time_passes(500);
  EXPECT_TRUE(race.must_wait());
  host_works(16 * 850);
  EXPECT_FALSE(race.must_wait());
}

TEST_F(FormRaceTest, ALongApplyToEachGivesTime) {
  race.begin(1);
  host_works(10);
  race.note_expected_rest(milliseconds(15));  // not much more than what is done
  EXPECT_TRUE(race.must_wait());
  race.note_expected_rest(milliseconds(1990));
  EXPECT_FALSE(race.must_wait());
  EXPECT_TRUE(race.host_waits());
  other_works(501);  // a fourth
  EXPECT_TRUE(race.must_wait());
  EXPECT_FALSE(race.host_waits());
  race.note_expected_rest(milliseconds(1990));  // it has had that
  EXPECT_TRUE(race.must_wait());
}

// The first elements may take less time than others.
TEST_F(FormRaceTest, ALongApplyToEachGivesEnoughToCompile) {
  race.begin(1);
  host_works(10);
  race.note_expected_rest(milliseconds(250));
  other_works(100);  // more than a fourth
  EXPECT_FALSE(race.must_wait());
  other_works(30);
  EXPECT_TRUE(race.must_wait());
}

TEST_F(FormRaceTest, WhoIsMuchFasterGetsAllItsTime) {
  end_all(10, 100, 20);
  EXPECT_TRUE(race.is_unbounded());
  EXPECT_TRUE(race.host_waits());
  other_works(501);  // half of the host's time
  EXPECT_FALSE(race.host_waits());
  EXPECT_FALSE(race.must_wait());
}

TEST_F(FormRaceTest, WhoIsAboutAsFastDoesNot) {
  end_all(10, 100, 60);
  EXPECT_FALSE(race.is_unbounded());
}

TEST_F(FormRaceTest, WhatIsNotComputedYetIsNotFast) {
  end_all(10, 100, 0);
  EXPECT_FALSE(race.is_unbounded());
}

}  // namespace
}  // namespace tutti::nesl_test
