// memory_report(), watch() and the pretty printers of GDB.
#include <gtest/gtest.h>
#include <tutti/debug.hpp>
#include <tutti/tutti.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "support/output_of.hpp"

namespace tutti::test {
namespace {

int64_t bytes_made_at(int line) {
  int64_t bytes = 0;
  for (const LiveArray& array : live_arrays())
    if (array.line.ends_with("debug_test.cpp:" + std::to_string(line))) bytes += array.bytes;
  return bytes;
}

TEST(MemoryReport, TellsWhichLineHoldsHowMuch) {
  const Array<1, float> a(std::vector<float>(100'000, 1.0f));
  const int of_a = __LINE__ - 1;
  Array<2, double> b;
  {
    const Array<2, double> grown = Array<2, double>(Shape<2>(300, 100), 1.0) * 2.0;
    const int of_grown = __LINE__ - 1;
    EXPECT_EQ(bytes_made_at(of_grown), 0);  // not computed
    grown.evaluate();
    EXPECT_GE(bytes_made_at(of_grown), 240'000);
    EXPECT_LT(bytes_made_at(of_grown), 480'000);
    const std::string report = memory_report();
    EXPECT_NE(report.find("double   {300, 100}"), std::string::npos) << report;
    EXPECT_NE(report.find("debug_test.cpp:" + std::to_string(of_a)), std::string::npos) << report;
  }
  EXPECT_GE(bytes_made_at(of_a), 400'000);
  EXPECT_EQ(memory_report().find("{300, 100}"), std::string::npos);
}

TEST(MemoryReport, AddsUpToTheMemoryInUse) {
  std::vector<Array<1, int>> arrays;
  for (int i = 0; i < 10; ++i) arrays.emplace_back(std::vector<int>(5000, i));
  int64_t all = 0;
  for (const LiveArray& array : live_arrays()) all += array.bytes;
  EXPECT_LE(all, statistics().bytes_in_use);
  EXPECT_GE(all, 10 * 20'000);
}

TEST(Watch, PrintsAndNames) {
  const Array<1, int> numbers(std::vector<int>(2000, 7));
  const Array<1, int> doubled = numbers * 2;
  testing::internal::CaptureStderr();
  const Array<1, int> same = watch(doubled, "doubled");
  const int line = __LINE__ - 1;
  const std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_EQ(same.node(), doubled.node());
  EXPECT_NE(printed.find("doubled int"), std::string::npos) << printed;
  EXPECT_NE(printed.find("debug_test.cpp:" + std::to_string(line)), std::string::npos) << printed;
  EXPECT_NE(printed.find("14 14 14 ... 14 14 14"), std::string::npos) << printed;
  const std::vector<LiveArray> arrays = live_arrays();
  EXPECT_EQ(std::ranges::count(arrays, "doubled", &LiveArray::name), 1);
}

#ifdef __cpp_lib_format
TEST(Format, IsThatOfStreams) {
  const Array<1, int> a(std::vector<int>{1, 2, 3});
  EXPECT_EQ(std::format("{}", a), to_string(a));
}
#endif

TEST(Gdb, PrintsArrays) {
  if (output_of("gdb --version 2>&1").find("GNU gdb") == std::string::npos)
    GTEST_SKIP() << "there is no gdb here";
  const auto probe =
      std::filesystem::read_symlink("/proc/self/exe").replace_filename("test_gdb_probe").string();
  const std::string printed =
      output_of("TUTTI_DEVICE=cpu gdb -nx -batch -ex 'source " TUTTI_GDB_PRINTERS
                "' -ex 'break stop_here' -ex run -ex up -ex 'print computed' -ex 'print pending' " +
                probe + " 2>&1");
  if (printed.find("ptrace: Operation not permitted") != std::string::npos)
    GTEST_SKIP() << "processes cannot be traced here";
  // Older versions of GDB cannot write the registers of processors with AMX.
  if (printed.find("Couldn't write extended state status") != std::string::npos)
    GTEST_SKIP() << "this gdb cannot call functions on this processor";
  EXPECT_NE(printed.find("$1 = int32 {5} {3, 1, 4, 1, 5}"), std::string::npos) << printed;
  EXPECT_NE(printed.find("$2 = float {2, 3}, not computed yet"), std::string::npos) << printed;
}

}  // namespace
}  // namespace tutti::test
