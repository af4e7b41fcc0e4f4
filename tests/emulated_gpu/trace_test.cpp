// The timeline of a GPU: kernels on a track of their own, launches, copies and waits of the host.
#include <gtest/gtest.h>
#include <unistd.h>
#include <tutti/trace.hpp>
#include <tutti/tutti.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/json.hpp"

namespace tutti::test {
namespace {

TEST(EmulatedTrace, HasKernelsOfTheDevice) {
  const std::string path = std::filesystem::temp_directory_path() /
                           ("tutti_gpu_trace_" + std::to_string(getpid()) + ".json");
  {
    const ScopedTrace trace(path);
    for (int i = 0; i < 5; ++i) {
      const Array<1, float> a(std::vector<float>(100'000, 1.0f));
      EXPECT_EQ(sum(a * 2.0f).item(), 200'000.0f);
    }
  }
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  int kernels = 0, launches = 0, copies = 0, named = 0;
  double track = 0;
  for (const json::Value& event : json::read(text.str()).items) {
    const std::string& category = event["cat"].text;
    if (event["name"].text == "thread_name" && event["args"]["name"].text == device().name) {
      ++named;
      track = event["tid"].number;
    }
    launches += category == "launch";
    copies += category == "copy" && event["args"]["bytes"].number > 0;
    if (category != "device") continue;
    ++kernels;
    EXPECT_EQ(event["tid"].number, track);
    EXPECT_GE(event["dur"].number, 0);
    EXPECT_EQ(event["args"]["lines"].items.size(), 1u);
  }
  EXPECT_EQ(named, 1);
  EXPECT_GE(kernels, 10);  // a reduction has two
  EXPECT_EQ(launches, kernels);
  EXPECT_GE(copies, 10);
}

}  // namespace
}  // namespace tutti::test
