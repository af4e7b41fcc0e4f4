// `tutti doctor` and `tutti --version`: what they print and how they end.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace {

struct Finished {
  int status = -1;
  std::string output;
};

Finished command(const std::string& variables, const std::string& arguments) {
  Finished result;
  const std::string line = variables + " " TUTTI_COMMAND " " + arguments + " 2>&1";
  FILE* pipe = popen(line.c_str(), "r");
  std::array<char, 4096> part;
  while (const size_t n = fread(part.data(), 1, part.size(), pipe))
    result.output.append(part.data(), n);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

TEST(Doctor, FindsNothingWrongHere) {
  const Finished result = command("TUTTI_DEVICE=cpu", "doctor");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("cpu: a kernel was compiled"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("all is well"), std::string::npos) << result.output;
}

TEST(Doctor, SaysWhatToDoAboutACacheThatCannotBeWritten) {
  const Finished result = command("TUTTI_CACHE_DIR=/dev/null/cache", "doctor");
  EXPECT_EQ(result.status, 1) << result.output;
  EXPECT_NE(result.output.find("FAULT"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("what to do: "), std::string::npos) << result.output;
}

TEST(Doctor, TakesNoArguments) { EXPECT_EQ(command("", "doctor now").status, 2); }

TEST(Version, IsPrintedWithTheCommitWhereItIsKnown) {
  const Finished result = command("", "--version");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.rfind("tutti ", 0), 0u) << result.output;
}

}  // namespace
