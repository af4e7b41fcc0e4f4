// Kernels on disk: found again, and whatever is wrong with a file, rebuilt with the right result.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/build_id.hpp"
#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

namespace fs = std::filesystem;

class DiskCache : public testing::Test {
 protected:
  void SetUp() override {
    static int counter = 0;
    folder_ = fs::temp_directory_path() /
              ("tutti_cache_test_" + std::to_string(getpid()) + "_" + std::to_string(counter++));
    before_ = settings();
    Settings s = before_;
    s.cache_dir = folder_.string();
    set_settings(s);
    clear_kernel_cache();
  }
  void TearDown() override {
    set_settings(before_);
    clear_kernel_cache();
    fs::remove_all(folder_);
  }

  // One kernel; forgets it in memory first.
  static std::vector<float> compute() {
    clear_kernel_cache();
    const Array<1, float> a(plain<float>(500));
    return (sqrt(a) * 2.0f + rotate(a, {3})).to_vector();
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> result;
    if (fs::exists(folder_))
      for (const auto& item : fs::directory_iterator(folder_)) result.push_back(item.path());
    return result;
  }
  static std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }

  // Compiles and finds counted over one computation, which must give `want`.
  void expect(int64_t compiled, int64_t found, const std::vector<float>& want,
              const std::string& what) {
    const Statistics before = statistics();
    const std::vector<float> got = compute();
    EXPECT_EQ(statistics().kernels_compiled - before.kernels_compiled, compiled) << what;
    EXPECT_EQ(statistics().kernels_from_disk - before.kernels_from_disk, found) << what;
    EXPECT_EQ(got, want) << what;
  }

  fs::path folder_;
  Settings before_;
};

TEST_F(DiskCache, ColdThenWarm) {
  const Statistics before = statistics();
  const std::vector<float> want = compute();
  EXPECT_EQ(statistics().kernels_compiled - before.kernels_compiled, 1);
  EXPECT_EQ(files().size(), 1u) << "one file a kernel, no temporary files";
  expect(0, 1, want, "warm");
  expect(0, 1, want, "warm again");
}

TEST_F(DiskCache, FilesAreTheirOwnersOnly) {
  compute();
  for (const fs::path& file : files()) {
    struct stat status;
    ASSERT_EQ(stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u) << file;
  }
  struct stat status;
  ASSERT_EQ(stat(folder_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

TEST_F(DiskCache, DamagedFilesAreRebuilt) {
  const std::vector<float> want = compute();
  const fs::path file = files().at(0);
  const std::string good = content(file);
  std::vector<std::pair<std::string, std::string>> damages{
      {"empty", ""},
      {"one byte", "t"},
      {"foreign", std::string(good.size(), '#')},
      {"too long", good + "more"}};
  for (size_t keep :
       {size_t{8}, size_t{31}, size_t{32}, size_t{40}, good.size() / 2, good.size() - 1})
    damages.push_back({"cut after " + std::to_string(keep), good.substr(0, keep)});
  for (size_t byte : {size_t{0}, size_t{9}, size_t{17}, size_t{25}, size_t{33}, size_t{100},
                      good.size() / 2, good.size() - 1}) {
    std::string flipped = good;
    flipped[byte] = static_cast<char>(flipped[byte] ^ 0x10);
    damages.push_back({"a bit flipped in byte " + std::to_string(byte), flipped});
  }
  for (const auto& [what, text] : damages) {
    write(file, text);
    expect(1, 0, want, what);
    EXPECT_EQ(content(file).size(), good.size()) << what << ": written anew";
    expect(0, 1, want, what + ", repaired");
  }
}

TEST_F(DiskCache, AnotherKernelsFileIsNotRun) {
  const std::vector<float> want = compute();
  const fs::path mine = files().at(0);
  clear_kernel_cache();
  const Array<1, float> a(plain<float>(500));
  (a - 1.0f).evaluate();
  for (const fs::path& file : files())
    if (file != mine) fs::copy_file(file, mine, fs::copy_options::overwrite_existing);
  expect(1, 0, want, "a whole file of another kernel");
}

TEST_F(DiskCache, AFileOthersCanWriteIsNotRun) {
  const std::vector<float> want = compute();
  fs::permissions(files().at(0), fs::perms::others_write, fs::perm_options::add);
  expect(1, 0, want, "writable by others");
}

TEST_F(DiskCache, SomethingElseInItsPlace) {
  const std::vector<float> want = compute();
  const fs::path file = files().at(0);
  fs::remove(file);
  fs::create_directory(file);
  clear_kernel_cache();
  EXPECT_EQ(compute(), want);
}

// Another build may have another code generator: its kernels have other names.
TEST_F(DiskCache, KnowsTheBuild) {
  EXPECT_GE(build_id().size(), 8u);
  compute();
  const std::string stored = content(files().at(0));
  EXPECT_NE(stored.find(build_id()), std::string::npos);
}

TEST_F(DiskCache, CanBeTurnedOff) {
  const WithSettings off([](Settings& s) { s.disk_cache = false; });
  compute();
  EXPECT_TRUE(files().empty());
}

TEST_F(DiskCache, StaysWithinItsLimit) {
  const WithSettings small([](Settings& s) { s.cache_bytes = 40000; });
  const Array<1, float> a(plain<float>(50));
  for (int i = 0; i < 200; ++i) {  // 200 different kernels
    Array<1, float> x = a;
    for (int bit = 0; bit < 8; ++bit) x = i >> bit & 1 ? x * a : x + a;
    x.evaluate();
  }
  uintmax_t total = 0, largest = 0;
  for (const fs::path& file : files()) {
    total += fs::file_size(file);
    largest = std::max(largest, fs::file_size(file));
  }
  EXPECT_GT(total, 0u);
  EXPECT_LT(total, 40000 + 64 * largest);  // looked after once in 64 kernels
  EXPECT_LT(files().size(), 150u);         // a kernel is at least 2 KB
}

}  // namespace
}  // namespace tutti::test
