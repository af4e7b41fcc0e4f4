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
    std::ofstream(program_) << "print_line(\"begun\");\nread_line(stdin);\n1 / 0;\n";
  }
  ~ProgressTest() override { fs::remove_all(folder_); }

  const fs::path folder_ =
      fs::temp_directory_path() / ("tutti_progress_" + std::to_string(getpid()));
  const std::string program_ = (folder_ / "waits.nesl").string();
};

TEST_F(ProgressTest, ShowsOnATerminalWhatALongProgramDoes) {
  if (!Terminal::can_be_made()) GTEST_SKIP() << "this system has no pseudo terminals";
  Terminal terminal({TUTTI_COMMAND, "run", "--progress", program_}, folder_.string());
  EXPECT_TRUE(terminal.shows("begun")) << terminal.pending();
  EXPECT_TRUE(terminal.shows("waits.nesl: ")) << terminal.pending();
  EXPECT_TRUE(terminal.shows(" kernels compiled, ")) << terminal.pending();
  terminal.type("a line\r");
  EXPECT_TRUE(terminal.shows("\x1b[K")) << terminal.pending();  // removed at the end
  EXPECT_EQ(terminal.exit_status(), 1);
}

TEST_F(ProgressTest, ShowsNothingInAPipe) {
  const std::string output = test::output_of("sleep 3 | " + std::string(TUTTI_COMMAND) +
                                             " run --progress " + program_ + " 2>&1");
  EXPECT_NE(output.find("begun"), std::string::npos) << output;
  EXPECT_EQ(output.find("kernels compiled"), std::string::npos) << output;
  EXPECT_EQ(output.find('\r'), std::string::npos) << output;
}

}  // namespace
}  // namespace tutti::shell_test
