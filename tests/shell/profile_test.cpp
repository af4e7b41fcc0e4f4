// `tutti profile` and `tutti info --measure`: programs that end well and badly, and the page.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "core/json.hpp"
#include "shell/command.hpp"

namespace tutti::test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Profile : public testing::Test {
 protected:
  Profile()
      : folder_(fs::temp_directory_path() / ("tutti_profile_test_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Profile() override { fs::remove_all(folder_); }
  std::string file(const std::string& name, const std::string& text = "") const {
    if (!text.empty()) std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(Profile, ShowsKernelsAndLines) {
  const Finished outcome = command("profile " TUTTI_TRACE_PROBE " return");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("sum 5000"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("trace_probe.cpp:"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("reduce: multiply, add, sum"), std::string::npos);
}

TEST_F(Profile, ReturnsWhatTheProgramReturned) {
  EXPECT_EQ(command("profile sh -c 'exit 7'").status, 7);
  EXPECT_EQ(command("profile /no/such/program").status, 127);
  const Finished crashed = command("profile " TUTTI_TRACE_PROBE " segv");
  EXPECT_EQ(crashed.status, 128 + 11);
  EXPECT_NE(crashed.output.find("reduce: multiply"), std::string::npos) << crashed.output;
  EXPECT_EQ(command("profile").status, 2);
  EXPECT_EQ(command("profile --nonsense true").status, 2);
}

TEST_F(Profile, ThePageHasItsDataAndNeedsNoNetwork) {
  const std::string page = file("page.html"), trace = file("kept.json");
  const Finished outcome =
      command("profile --html " + page + " --trace=" + trace + " " TUTTI_TRACE_PROBE " return");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  const std::string html = text_of(page);
  EXPECT_EQ(html.find("http"), std::string::npos);
  const std::string opening = "<script type=\"application/json\" id=\"data\">";
  const size_t begin = html.find(opening) + opening.size(), end = html.find("</script>", begin);
  ASSERT_NE(end, std::string::npos);
  const json::Value data = json::read(html.substr(begin, end - begin));
  EXPECT_GE(data["spans"].items.size(), 5u);
  for (const json::Value& span : data["spans"].items) {
    ASSERT_EQ(span.items.size(), 7u);
    EXPECT_LT(span.items[5].number, static_cast<double>(data["names"].items.size()));
  }
  EXPECT_NE(html.find("class=\"f\""), std::string::npos);
  EXPECT_GE(json::read(text_of(trace)).items.size(), 5u);
}

TEST_F(Profile, RunsNeslPrograms) {
  const Finished outcome = command("profile " + file("p.nesl", "sum({x * x : x in [0:1000]});\n"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("332833500"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("nesl"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace tutti::test
