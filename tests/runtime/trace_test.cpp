// The timeline: what is in it, and that the file is whole however a process ends.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>
#include <tutti/trace.hpp>
#include <tutti/tutti.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "core/json.hpp"
#include "core/timeline/timeline.hpp"
#include "core/timeline/timeline_file.hpp"
#include "support/errors.hpp"
#include "support/output_of.hpp"

namespace tutti::test {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test.
class Trace : public testing::Test {
 protected:
  Trace() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("tutti_trace_" + std::to_string(getpid()) + "_" + test->name());
    fs::create_directory(folder_);
  }
  ~Trace() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  // Runs the probe in the folder; both of its streams together. On the CPU, whose kernels are in
  // the trace when they end: a GPU tells the times of its own when the host asks, which a crash
  // prevents (emulated_gpu/trace_test.cpp).
  std::string probe(const std::string& before, const std::string& argument) const {
    const auto program = fs::read_symlink("/proc/self/exe").replace_filename("test_trace_probe");
    const std::string command = "cd '" + folder_.string() + "' && { TUTTI_DEVICE=cpu " + before +
                                " " + program.string() + " " + argument + "; } 2>&1";
    return output_of(command);
  }

  fs::path folder_;
};

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}
std::vector<json::Value> events_of(const std::string& path) {
  return json::read(text_of(path)).items;
}

int count(const std::vector<json::Value>& events, const std::string& category,
          const std::string& part_of_name = "") {
  return static_cast<int>(std::ranges::count_if(events, [&](const json::Value& event) {
    return event["cat"].text == category &&
           event["name"].text.find(part_of_name) != std::string::npos;
  }));
}

int count(const std::string& text, const std::string& part) {
  int result = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++result;
  return result;
}

const json::Value& first(const std::vector<json::Value>& events, const std::string& category) {
  static const json::Value none;
  const auto found = std::ranges::find_if(
      events, [&](const json::Value& event) { return event["cat"].text == category; });
  EXPECT_NE(found, events.end()) << category;
  return found == events.end() ? none : *found;
}

TEST_F(Trace, HasEveryStageOfAnEvaluation) {
  int line = 0;
  {
    const ScopedTrace trace(file("run.json"));
    const Array<1, float> a(std::vector<float>(5000, 1.5f));
    const TraceRange range("my range");
    line = __LINE__ + 1;
    const float total = sum(a * 0.8125f - 0.34375f).item();
    EXPECT_EQ(total, 5000 * (1.5f * 0.8125f - 0.34375f));
  }
  const std::vector<json::Value> events = events_of(file("run.json"));
  EXPECT_EQ(count(events, "build", "build graph"), 1);
  EXPECT_GE(count(events, "evaluate"), 1);
  EXPECT_EQ(count(events, "plan", "make a plan"), 1);
  EXPECT_EQ(count(events, "plan", "materialise"), 1);
  EXPECT_GE(count(events, "plan", "choose_schedule"), 1);
  EXPECT_GE(count(events, "compile"), 1);
  EXPECT_EQ(count(events, "kernel"), 1);
  EXPECT_GE(count(events, "memory"), 1);
  EXPECT_EQ(count(events, "user", "my range"), 1);
  const json::Value& arguments = first(events, "kernel")["args"];
  EXPECT_EQ(arguments["shape"].text, "{5000}");
  EXPECT_EQ(arguments["bytes_read"].number, 20000);
  EXPECT_EQ(arguments["flops"].number, 15000);
  ASSERT_EQ(arguments["lines"].items.size(), 1u);
  EXPECT_NE(arguments["lines"].items[0].text.find("trace_test.cpp:" + std::to_string(line)),
            std::string::npos);
}

// The lines that kernels of a trace name, of this file.
std::vector<int> lines_of_kernels(const std::vector<json::Value>& events) {
  std::vector<int> lines;
  for (const json::Value& event : events) {
    if (event["cat"].text != "kernel") continue;
    for (const json::Value& line : event["args"]["lines"].items)
      if (const size_t at = line.text.find("trace_test.cpp:"); at != std::string::npos)
        lines.push_back(std::stoi(line.text.substr(at + std::string("trace_test.cpp:").size())));
  }
  return lines;
}

// Two expressions of one type have one plan without a trace; a trace tells their lines apart.
TEST_F(Trace, NamesTheLinesOfVecExpressionsAndRecordedBodies) {
  Vec<float> a(std::vector<float>(1000, 1.0f)), b = a, c = a;
  const int first = __LINE__ + 1, second = first + 1, in_body = first + 2, reduced = first + 6;
  const auto compute_b = [&] { b = a * 2.0f + b; };
  const auto compute_c = [&] { c = a * 2.0f + c; };
  Recorded step = record([&] { a = a * 0.5f - b * 0.25f; }, a, b);
  compute_b();
  {
    const ScopedTrace trace(file("run.json"));
    EXPECT_GT(sum(a * b).item(), 0.0f);
    compute_b();
    compute_c();
    step(2);
  }
  const std::vector<int> lines = lines_of_kernels(events_of(file("run.json")));
  for (const int line : {first, second, in_body, reduced})
    EXPECT_NE(std::ranges::find(lines, line), lines.end()) << "line " << line;
}

TEST_F(Trace, SpansOfAThreadNest) {
  {
    const ScopedTrace trace(file("run.json"));
    for (int i = 0; i < 20; ++i) {
      const Array<2, float> a(std::vector<float>(static_cast<size_t>(50 * (100 + i)), 1.0f),
                              {100 + i, 50});
      sum(a * 2.0f + 1.0f, 0).to_vector();
    }
  }
  std::vector<std::pair<double, double>> spans;  // of this thread
  for (const json::Value& event : events_of(file("run.json")))
    if (event["ph"].text == "X" && event["tid"].number == getpid())
      spans.emplace_back(event["ts"].number, event["ts"].number + event["dur"].number);
  EXPECT_GT(spans.size(), 60u);
  constexpr double rounding = 0.002;
  for (const auto& [begin, end] : spans)
    for (const auto& [other, last] : spans)
      if (other > begin + rounding && other < end - rounding) {
        EXPECT_LE(last, end + rounding) << other;
      }
}

TEST_F(Trace, RecordsThreadsThatHaveEnded) {
  {
    const ScopedTrace trace(file("run.json"));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([t] {
        const TraceRange range("thread " + std::to_string(t));
        const Array<1, int> a(std::vector<int>(100, t));
        EXPECT_EQ(sum(a).item(), 100 * t);
      });
    for (std::thread& thread : threads) thread.join();
  }
  const std::vector<json::Value> events = events_of(file("run.json"));
  for (int t = 0; t < 4; ++t) EXPECT_EQ(count(events, "user", "thread " + std::to_string(t)), 1);
}

TEST_F(Trace, AScopeWithinAScopeLeavesTheOuterOne) {
  {
    const ScopedTrace outer(file("outer.json"));
    {
      const ScopedTrace inner(file("inner.json"));
      const TraceRange range("in both");
    }
    const TraceRange range("after");
  }
  EXPECT_FALSE(fs::exists(file("inner.json")));
  const std::vector<json::Value> events = events_of(file("outer.json"));
  EXPECT_EQ(count(events, "user"), 2);
}

TEST_F(Trace, IsWrittenAgainByTheNextScope) {
  for (const char* name : {"first", "second"}) {
    const ScopedTrace trace(file("run.json"));
    const TraceRange range(name);
  }
  const std::vector<json::Value> events = events_of(file("run.json"));
  EXPECT_EQ(count(events, "user", "first"), 0);
  EXPECT_EQ(count(events, "user", "second"), 1);
}

TEST_F(Trace, ScopeRefusesAPathThatCannotBeWritten) {
  EXPECT_EQ(message_of([&] { const ScopedTrace trace(file("missing/run.json")); }),
            "ScopedTrace: cannot write '" + file("missing/run.json") +
                "': No such file or directory; give a file in a folder that you can write to");
  EXPECT_NE(message_of([&] { const ScopedTrace trace(folder_.string()); }).find("Is a directory"),
            std::string::npos);
  EXPECT_FALSE(timeline::is_on());
}

// ---- a process

TEST_F(Trace, OfAProcessIsWrittenAtItsEnd) {
  EXPECT_NE(probe("TUTTI_TRACE=run.json", "return").find("sum 5000"), std::string::npos);
  EXPECT_GE(count(events_of(file("run.json")), "kernel"), 1);
}

TEST_F(Trace, WithoutTheVariableThereIsNone) {
  probe("", "return");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Trace, IsWholeAfterACrash) {
  for (const char* how : {"segv", "abort", "term"}) {
    probe("TUTTI_TRACE=run.json", how);
    EXPECT_GE(count(events_of(file("run.json")), "kernel"), 1) << how;
  }
  probe("TUTTI_TRACE=run.json", "kill");
  EXPECT_GE(count(events_of(file("run.json")), "kernel"), 1);
}

TEST_F(Trace, OfTwoProcessesWithOneNameAreTwoFiles) {
  const int held = open(file("run.json").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  const std::string output = probe("TUTTI_TRACE=run.json", "return");
  close(held);
  EXPECT_EQ(count(output, "another process writes the trace run.json"), 1) << output;
  const std::string process = output.substr(0, output.find('\n'));
  EXPECT_GE(count(events_of(file("run." + process + ".json")), "kernel"), 1);
  EXPECT_EQ(text_of(file("run.json")), "");
}

TEST_F(Trace, OfAForkedChildIsAFileOfItsOwn) {
  const std::string output = probe("TUTTI_TRACE=run.json", "fork");
  EXPECT_NE(output.find("sum 7000"), std::string::npos) << output;
  EXPECT_EQ(count(events_of(file("run.json")), "kernel"), 2);
  const std::string child = output.substr(output.find("sum 5000\n") + 9);
  const std::string process = child.substr(0, child.find('\n'));
  EXPECT_EQ(count(events_of(file("run." + process + ".json")), "kernel"), 1);
}

TEST_F(Trace, ThatCannotBeWrittenIsReportedOnce) {
  const std::string output = probe("TUTTI_TRACE=missing/run.json", "return");
  EXPECT_EQ(count(output, "tutti: "), 1) << output;
  EXPECT_NE(output.find("cannot write the trace missing/run.json (TUTTI_TRACE): No such file or "
                        "directory; nothing is recorded"),
            std::string::npos)
      << output;
  EXPECT_NE(output.find("sum 5000"), std::string::npos);
}

// A limit on the size of files is a disk that is full.
TEST_F(Trace, OnAFullDiskEndsAndStaysWhole) {
  const std::string output =
      probe("trap '' XFSZ; ulimit -f 8; TUTTI_CACHE=0 TUTTI_TRACE=run.json", "long");
  EXPECT_EQ(count(output, "the trace run.json ends here"), 1) << output;
  EXPECT_NE(output.find("sum 5000"), std::string::npos);
  EXPECT_GE(events_of(file("run.json")).size(), 1u);
}

TEST_F(Trace, IsBoundedBySize) {
  const std::string output = probe("TUTTI_TRACE_BYTES=2M TUTTI_TRACE=run.json", "long");
  EXPECT_EQ(count(output, "TUTTI_TRACE_BYTES"), 1) << output;
  const std::vector<json::Value> last = events_of(file("run.json"));
  const std::vector<json::Value> before = events_of(file("run.before.json"));
  EXPECT_EQ(last[0]["name"].text, "process_name");
  EXPECT_GE(count(before, "kernel"), 100);
  EXPECT_LT(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 3);
}

}  // namespace
}  // namespace tutti::test
