// The progress of long commands: a line on a terminal, nothing in a pipe.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "shell/terminal.hpp"
#include "support/output_of.hpp"

namespace tutti::shell_test {
namespace {

namespace fs = std::filesystem;

class ProgressTest : public testing::Test {
 protected:
  ProgressTest() {
    fs::create_directories(folder_);
    std::ofstream(program_)
        << "function forever(x) = if x < 0 then 0 else forever(rem(x + 1, 10));\n"
           "print_line(\"begun\");\nforever(0);\n";
  }
  ~ProgressTest() override { fs::remove_all(folder_); }

  const fs::path folder_ =
      fs::temp_directory_path() / ("tutti_progress_" + std::to_string(getpid()));
  const std::string program_ = (folder_ / "forever.nesl").string();
};

TEST_F(ProgressTest, ShowsOnATerminalWhatALongProgramDoes) {
  if (!Terminal::can_be_made()) GTEST_SKIP() << "this system has no pseudo terminals";
  Terminal terminal({TUTTI_COMMAND, "run", "--progress", "--time-limit", "4", program_},
                    folder_.string());
  EXPECT_TRUE(terminal.shows("begun")) << terminal.pending();
  EXPECT_TRUE(terminal.shows("forever.nesl: ")) << terminal.pending();
  EXPECT_TRUE(terminal.shows(" kernels compiled, ")) << terminal.pending();
  EXPECT_TRUE(terminal.shows("\x1b[K")) << terminal.pending();  // removed at the end
  EXPECT_NE(terminal.exit_status(), 0);
}

TEST_F(ProgressTest, ShowsNothingInAPipe) {
  const std::string output = test::output_of(
      std::string(TUTTI_COMMAND) + " run --progress --time-limit 3 " + program_ + " 2>&1");
  EXPECT_NE(output.find("begun"), std::string::npos) << output;
  EXPECT_EQ(output.find("kernels compiled"), std::string::npos) << output;
  EXPECT_EQ(output.find('\r'), std::string::npos) << output;
}

}  // namespace
}  // namespace tutti::shell_test
