// Settings of test runs: what is set, what is not, what is refused.
#include <gtest/gtest.h>

#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

// A variable that is set, or removed, as long as the object lives.
class WithVariable {
 public:
  WithVariable(const char* name, const char* text) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    text ? setenv(name, text, 1) : unsetenv(name);
  }
  ~WithVariable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }
  WithVariable(const WithVariable&) = delete;
  WithVariable& operator=(const WithVariable&) = delete;

 private:
  const char* name_;
  std::string before_;
};

TEST(TestSettings, SeedsAreWholeNumbers) {
  const auto read = [](const char* text) {
    const WithVariable seed("TUTTI_TEST_SEED", text);
    return first_seed(7);
  };
  EXPECT_EQ(read(nullptr), 7);
  EXPECT_EQ(read(""), 7);
  EXPECT_EQ(read("4031900955"), 4031900955);
  EXPECT_THROW(read("12x"), std::invalid_argument);
}

TEST(TestSettings, FaultPointsAreNamed) {
  const auto read = [](const char* text) {
    const WithVariable faults("TUTTI_TEST_FAULTS", text);
    return fault_points();
  };
  EXPECT_EQ(read(nullptr), FaultPoints::sampled);
  EXPECT_EQ(read("all"), FaultPoints::all);
  EXPECT_EQ(read("stacks"), FaultPoints::call_stacks);
  EXPECT_THROW(read("some"), std::invalid_argument);
}

TEST(TestSettings, PartsAreWithinTheirNumber) {
  const auto read = [](const char* text) {
    const WithVariable part("TUTTI_TEST_PART", text);
    return work_part();
  };
  EXPECT_EQ(read(nullptr).count, 1);
  EXPECT_EQ(read("3/16").index, 3);
  EXPECT_EQ(read("3/16").count, 16);
  for (const char* wrong : {"16/16", "-1/4", "1", "1/0"})
    EXPECT_THROW(read(wrong), std::invalid_argument) << wrong;
}

}  // namespace
}  // namespace tutti::test
