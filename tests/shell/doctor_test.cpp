// `tutti doctor` and `tutti --version`: what they print and how they end.
#include <gtest/gtest.h>

#include "shell/command.hpp"

namespace tutti::test {
namespace {

TEST(Doctor, FindsNothingWrongHere) {
  const Finished result = command("doctor", "TUTTI_DEVICE=cpu");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("cpu: a kernel was compiled"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("all is well"), std::string::npos) << result.output;
}

TEST(Doctor, SaysWhatToDoAboutACacheThatCannotBeWritten) {
  const Finished result = command("doctor", "TUTTI_CACHE_DIR=/dev/null/cache");
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.output.find("FAULT"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("what to do: "), std::string::npos) << result.output;
}

TEST(Doctor, TakesNoArguments) { EXPECT_EQ(command("doctor now").status, 2); }

TEST(Version, IsPrintedWithTheCommitWhereItIsKnown) {
  const Finished result = command("--version");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.rfind("tutti ", 0), 0u) << result.output;
}

}  // namespace
}  // namespace tutti::test
