// The grammar of command lines: options with and without values, operands, sizes, errors.
#include "tools/options.hpp"

#include <gtest/gtest.h>

namespace tutti::shell_test {
namespace {

using tools::UsageError;

struct Read {
  std::string name, size, operands;
  bool on = false, help = false;
};

tools::OptionTable table_for(Read& result) {
  return {{"--name", "NAME", "a name", [&](std::string_view text) { result.name = text; }},
          {"", "", "Of no use:", {}},
          {"--on", "", "a flag", [&](std::string_view) { result.on = true; }},
          {"--size", "BYTES", "a size", [&](std::string_view text) {
             result.size = std::to_string(tools::size_in_bytes(text));
           }}};
}

Read read(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  Read result;
  result.help = tools::read_options(
      static_cast<int>(pointers.size()), pointers.data(), table_for(result),
      [&](std::string_view text) { result.operands += std::string(text) + ";"; });
  return result;
}

std::string error_of(const std::vector<std::string>& arguments) {
  try {
    read(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, StandAnywhere) {
  const Read result = read({"file", "--name", "a b", "-5", "--on", "--size=64K", "last"});
  EXPECT_EQ(result.operands, "file;-5;last;");
  EXPECT_EQ(result.name, "a b");
  EXPECT_EQ(result.size, "65536");
  EXPECT_TRUE(result.on);
  EXPECT_FALSE(result.help);
  EXPECT_TRUE(read({"file", "-h"}).help);
  EXPECT_TRUE(read({"--help"}).help);
}

TEST(Options, Sizes) {
  EXPECT_EQ(tools::size_in_bytes("500"), 500);
  EXPECT_EQ(tools::size_in_bytes("1.5k"), 1536);
  EXPECT_EQ(tools::size_in_bytes("200M"), 200ll << 20);
  EXPECT_EQ(tools::size_in_bytes("4G"), 4ll << 30);
  for (const char* text : {"", "G", "-1", "0", "1T", "4 G", "nan", "inf", "1e30", "0.5"})
    EXPECT_THROW(tools::size_in_bytes(text), UsageError) << text;
  EXPECT_EQ(tools::positive_number("2.5"), 2.5);
  EXPECT_THROW(tools::positive_number("11", 10), UsageError);
}

TEST(Options, ErrorsNameTheOption) {
  EXPECT_EQ(error_of({"--nam", "x"}), "there is no option --nam");
  EXPECT_EQ(error_of({"--"}), "there is no option --");
  EXPECT_EQ(error_of({"--name"}), "--name needs a value");
  EXPECT_EQ(error_of({"--name="}), "--name needs a value");
  EXPECT_EQ(error_of({"--on=1"}), "--on takes no value");
  EXPECT_EQ(error_of({"--size", "much"}),
            "--size takes a number of bytes such as 500M or 4G, not \"much\"");
}

TEST(Options, HelpHasALineForEachRow) {
  Read none;
  EXPECT_EQ(tools::help_text(table_for(none)),
            "  --name NAME       a name\n"
            "Of no use:\n"
            "  --on              a flag\n"
            "  --size BYTES      a size\n");
}

}  // namespace
}  // namespace tutti::shell_test
