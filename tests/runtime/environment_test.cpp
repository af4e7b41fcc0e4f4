// Settings from the environment, read once at the start: each case runs the probe in a process of
// its own and looks at what it says.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "support/output_of.hpp"

namespace tutti::test {
namespace {

// Runs the probe, which lies beside this program, with these variables; both of its streams
// together.
std::string probe(const std::string& variables) {
  const auto program =
      std::filesystem::read_symlink("/proc/self/exe").replace_filename("test_probe");
  const std::string command =
      "env -u TUTTI_CACHE_DIR -u XDG_CACHE_HOME " + variables + " " + program.string() + " 2>&1";
  return output_of(command);
}

int count(const std::string& text, const std::string& part) {
  int result = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++result;
  return result;
}

struct Case {
  std::string variables, says;
};

TEST(Environment, SetsEverySetting) {
  const Case cases[] = {
      {"TUTTI_THREADS=3", "threads 3\n"},
      {"TUTTI_REPRODUCIBLE=1", "reproducible 1\n"},
      {"TUTTI_INTERPRET=yes", "interpret 1\n"},
      {"TUTTI_CACHE=0", "disk_cache 0\n"},
      {"TUTTI_CACHE=off", "disk_cache 0\n"},
      {"TUTTI_CACHE_DIR=/tmp/tutti_probe_cache", "cache_dir /tmp/tutti_probe_cache\n"},
      {"XDG_CACHE_HOME=/tmp/xdg", "cache_dir /tmp/xdg/tutti\n"},
      {"HOME=/tmp/home", "cache_dir /tmp/home/.cache/tutti\n"},
      {"TUTTI_CACHE_BYTES=10M", "cache_bytes 10485760\n"},
      {"TUTTI_MAX_PENDING=17", "max_pending_operations 17\n"},
      {"TUTTI_MAX_PENDING_BYTES=3K", "max_pending_bytes 3072\n"},
      {"TUTTI_POOL_BYTES=2G", "pool_bytes 2147483648\n"},
      {"TUTTI_MAX_BYTES=1000000", "max_bytes 1000000\n"},
      {"TUTTI_SAVE_FAULTS=0", "save_faults 0\n"},
      {"TUTTI_LOG=true", "log 1\n"},
      {"TUTTI_THREADS=", "threads 0\n"},
  };
  for (const auto& [variables, says] : cases) {
    const std::string output = probe("TUTTI_CACHE=0 " + variables);
    EXPECT_NE(output.find(says), std::string::npos) << variables << " gives\n" << output;
    EXPECT_NE(output.find("sum 1200\n"), std::string::npos) << variables << " gives\n" << output;
    EXPECT_EQ(output.find("ignored"), std::string::npos) << output;
  }
}

TEST(Environment, ReportsWhatCannotBeRead) {
  const Case cases[] = {
      {"TUTTI_THREADS=many", "TUTTI_THREADS=many is not a number"},
      {"TUTTI_THREADS=-1", "TUTTI_THREADS=-1 is not a number"},
      {"TUTTI_THREADS=3x", "TUTTI_THREADS=3x is not a number"},
      {"TUTTI_MAX_PENDING=0", "TUTTI_MAX_PENDING=0 is not a number of at least 1"},
      {"TUTTI_POOL_BYTES=5T", "TUTTI_POOL_BYTES=5T is not a number"},
      {"TUTTI_INTERPRET=maybe", "TUTTI_INTERPRET=maybe is neither 0 nor 1"},
      {"TUTTI_THREADS=99999999999999999999", "is not a number"},
      {"TUTTI_THREADS=5000000000", "is not a number"},
      {"TUTTI_MAX_BYTES=9000000000G", "is not a number"},
      {"TUTTI_THREADS=K", "is not a number"},
      {"TUTTI_THREADS=100000", "TUTTI_THREADS=100000 is not a number of at least 0 and at most"},
      {"TUTTI_SIMD_BITS=wide", "TUTTI_SIMD_BITS=wide is none of 128, 256 and 512"},
      {"TUTTI_SIMD_BITS=64", "TUTTI_SIMD_BITS=64 is none of 128, 256 and 512"},
      {"TUTTI_SIMD_BITS=256bits", "is none of 128, 256 and 512"},
      {"TUTTI_PRECISION=quick", "TUTTI_PRECISION=quick is not exact, contracted or fast"},
      {"TUTTI_THREAD=2",
       "TUTTI_THREAD is the name of no setting (perhaps TUTTI_THREADS was meant)"},
      {"TUTTI_CACHEDIR=/tmp", "(perhaps TUTTI_CACHE_DIR was meant); ignored"},
      {"TUTTI_SOMETHING_ELSE=1", "TUTTI_SOMETHING_ELSE is the name of no setting; ignored"},
      {"$(printf 'TUTTI_LOG=\\033[2J')", "TUTTI_LOG=\\x1b[2J is neither 0 nor 1"},
  };
  for (const auto& [variables, says] : cases) {
    const std::string output = probe("TUTTI_CACHE=0 " + variables);
    EXPECT_EQ(count(output, says), 1) << variables << " gives\n" << output;
    EXPECT_NE(output.find("sum 1200\n"), std::string::npos) << variables << " gives\n" << output;
  }
}

// TUTTI_CHECKS, which is one letter from TUTTI_CHECK, is TUTTI_INDEX_CHECKS now. Both are read.
TEST(Environment, AnEarlierNameIsReadAndReported) {
  const std::string old = probe("TUTTI_CACHE=0 TUTTI_CHECKS=0");
  EXPECT_EQ(count(old, "tutti: TUTTI_CHECKS is called TUTTI_INDEX_CHECKS now\n"), 1) << old;
  EXPECT_EQ(old.find("ignored"), std::string::npos) << old;
  const std::string now = probe("TUTTI_CACHE=0 TUTTI_INDEX_CHECKS=0");
  EXPECT_EQ(now.find("tutti:"), std::string::npos) << now;
}

TEST(Environment, NamesOfTestsAreNotReported) {
  const std::string output = probe(
      "TUTTI_CACHE=0 TUTTI_TEST_SEED=5 TUTTI_NESL_FUZZ_SECONDS=1 "
      "TUTTI_SIMD_BITS=128");
  EXPECT_EQ(output.find("tutti:"), std::string::npos) << output;
}

TEST(Environment, AFolderOthersCanWriteToWarnsOnce) {
  const auto folder = std::filesystem::temp_directory_path() / "tutti_folder_of_all";
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::all);
  const std::string output = probe("TUTTI_CACHE_DIR=" + folder.string());
  EXPECT_EQ(count(output, "other users can write to the folder"), 1) << output;
  EXPECT_NE(output.find("sum 1200\n"), std::string::npos) << output;
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove(folder);
}

TEST(Environment, WithoutAHomeNothingIsKept) {
  const std::string output = probe("-u HOME");
  EXPECT_EQ(count(output, "kernels are not kept on disk: no folder is known"), 1) << output;
  EXPECT_NE(output.find("sum 1200\n"), std::string::npos) << output;
}

TEST(Environment, AnUnwritableCacheFolderWarnsOnce) {
  const auto file = std::filesystem::temp_directory_path() / "tutti_not_a_folder";
  std::ofstream(file) << "a file, so no folder can be made below it";
  const std::string output = probe("TUTTI_CACHE_DIR=" + (file / "cache").string());
  EXPECT_EQ(count(output, "kernels are not kept on disk"), 1) << output;
  EXPECT_NE(output.find(file.string()), std::string::npos) << output;
  EXPECT_NE(output.find("sum 1200\n"), std::string::npos) << output;
  std::filesystem::remove(file);
}

TEST(Environment, ASecondProcessFindsTheKernels) {
  const auto folder = std::filesystem::temp_directory_path() / "tutti_second_process";
  std::filesystem::remove_all(folder);
  EXPECT_NE(probe("TUTTI_CACHE_DIR=" + folder.string()).find("kernels_from_disk 0\n"),
            std::string::npos);
  EXPECT_NE(probe("TUTTI_CACHE_DIR=" + folder.string()).find("kernels_from_disk 2\n"),
            std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(SetSettings, RefusesNonsense) {
  const Settings good = settings();
  const auto refuses = [&](auto change) {
    Settings s = good;
    change(s);
    EXPECT_THROW(set_settings(s), Error);
    EXPECT_EQ(settings().threads, good.threads);
  };
  refuses([](Settings& s) { s.threads = -1; });
  refuses([](Settings& s) { s.threads = 100'000; });
  refuses([](Settings& s) { s.small_work = -1; });
  refuses([](Settings& s) { s.loop_limit = -1; });
  refuses([](Settings& s) { s.max_pending_operations = 0; });
  refuses([](Settings& s) { s.cache_bytes = -1; });
  refuses([](Settings& s) { s.pool_bytes = -1; });
  refuses([](Settings& s) { s.max_bytes = -1; });
  refuses([](Settings& s) { s.max_pending_bytes = -1; });
}

}  // namespace
}  // namespace tutti::test
