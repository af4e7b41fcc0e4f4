// `--help` of every command: the options that the command has, and exit status 0. Wrong arguments
// print the same text and end with 2.
#include <gtest/gtest.h>

#include <string>

#include "shell/command.hpp"

namespace tutti::test {
namespace {

TEST(Help, IsThereForEveryCommand) {
  const std::string all = command("help").output;
  for (const std::string name :
       {"run", "check", "explain", "nesl", "profile", "info", "doctor", "replay"}) {
    EXPECT_NE(all.find("\n  " + name + " "), std::string::npos) << name;
    const Finished help = command(name + " --help");
    EXPECT_EQ(help.status, 0) << help.output;
    EXPECT_TRUE(help.output.starts_with("usage: tutti " + name)) << help.output;
  }
}

TEST(Help, ListsTheOptionsOfTheCommand) {
  const auto has = [](const std::string& name, const std::string& option) {
    return command(name + " --help").output.find("  " + option) != std::string::npos;
  };
  EXPECT_TRUE(has("info", "--measure"));
  EXPECT_TRUE(has("replay", "--no-limits"));
  EXPECT_TRUE(has("explain", "--html FILE"));
  EXPECT_FALSE(has("run", "--html FILE"));
  EXPECT_FALSE(has("check", "--no-print")) << "nothing is run";
}

TEST(Help, FollowsWrongArguments) {
  for (const std::string arguments :
       {"info --speed", "info here", "doctor me", "replay", "replay a.graph b.graph"}) {
    const Finished result = command(arguments);
    EXPECT_EQ(result.status, 2) << result.output;
    EXPECT_NE(result.output.find("usage: tutti "), std::string::npos) << result.output;
  }
}

}  // namespace
}  // namespace tutti::test
