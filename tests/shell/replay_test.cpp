// tutti replay, as a user runs it.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <cstdio>
#include <fstream>

#include "engine/stored_graph.hpp"
#include "shell/command.hpp"

namespace tutti::test {
namespace {

Finished replay(const std::string& path) { return command("replay " + path); }

TEST(Replay, ComputesAGraphOnEveryDevice) {
  const Array<1, float> a(std::vector<float>{1, 2, 3}), b = sqrt(a) * 2.0f;
  const detail::NodeRef root = b.node();
  const std::string path = ::testing::TempDir() + "replay_test.graph";
  {
    std::lock_guard lock(ir::graph_mutex());
    std::ofstream(path, std::ios::binary) << engine::store_graph({&root, 1}, "a fault");
  }
  const Finished outcome = replay(path);
  std::remove(path.c_str());
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("It had failed with: a fault"), std::string::npos);
  EXPECT_NE(outcome.output.find("sqrt"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("cpu: the same bits as the interpreter"), std::string::npos)
      << outcome.output;
}

TEST(Replay, PrintsNothingThatATerminalObeys) {
  const Array<1, float> a(std::vector<float>{1, 2, 3}), b = a + 1.0f;
  const detail::NodeRef root = b.node();
  const std::string path = ::testing::TempDir() + "replay_escapes.graph";
  {
    std::lock_guard lock(ir::graph_mutex());
    std::ofstream(path, std::ios::binary)
        << engine::store_graph({&root, 1}, "a fault\x1b]0;title\x07 and more");
  }
  const Finished outcome = replay(path);
  std::remove(path.c_str());
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("a fault\\x1b]0;title\\x07 and more"), std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.output.find('\x1b'), std::string::npos);
}

TEST(Replay, ReadsFilesOnly) {
  const Finished outcome = replay("/dev/zero");
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("/dev/zero is no file"), std::string::npos) << outcome.output;
}

TEST(Replay, SaysWhatIsWrongWithAFile) {
  EXPECT_NE(replay("/nowhere/at/all.graph").output.find("cannot read /nowhere/at/all.graph"),
            std::string::npos);
  const Finished outcome = replay(TUTTI_COMMAND);
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.output.find("not the file of a graph"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace tutti::test
