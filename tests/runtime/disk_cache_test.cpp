// Kernels on disk are found again. A file with any damage is rebuilt, with the right result.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/process/build_id.hpp"
#include "runtime/code/disk_cache.hpp"
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
      for (const auto& item : fs::directory_iterator(folder_))
        if (item.path() != secret()) result.push_back(item.path());
    return result;
  }
  // The key of the checksums in this folder.
  fs::path secret() const { return folder_ / "secret"; }
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
  std::vector<fs::path> all = files();
  all.push_back(secret());
  for (const fs::path& file : all) {
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

TEST_F(DiskCache, LinksAreNotFollowed) {
  const std::vector<float> want = compute();
  const fs::path file = files().at(0), elsewhere = folder_.string() + "_elsewhere";
  fs::rename(file, elsewhere);
  fs::create_symlink(elsewhere, file);
  expect(1, 0, want, "a link to a file that is whole, and ours");
  EXPECT_FALSE(fs::is_symlink(file)) << "written anew";
  expect(0, 1, want, "repaired");
  fs::remove(elsewhere);
}

TEST_F(DiskCache, AFolderOthersCanWriteToIsNotUsed) {
  const std::vector<float> want = compute();
  fs::permissions(folder_, fs::perms::group_write, fs::perm_options::add);
  expect(1, 0, want, "writable by others");
  expect(1, 0, want, "nothing is written there");
  fs::permissions(folder_, fs::perms::owner_all);
  expect(0, 1, want, "ours again");
}

TEST_F(DiskCache, AFolderThatIsALinkIsNotUsed) {
  const std::vector<float> want = compute();
  const fs::path link = folder_.string() + "_link";
  fs::create_directory_symlink(folder_, link);
  const WithSettings there([&](Settings& s) { s.cache_dir = link.string(); });
  expect(1, 0, want, "a link");
  fs::remove(link);
}

// What others have written lacks the key, whatever else is right.
TEST_F(DiskCache, EntriesUnderAnotherSecretAreNotRun) {
  const std::vector<float> want = compute();
  const std::string good = content(secret());
  ASSERT_EQ(good.size(), 16u);
  write(secret(), std::string(16, 's'));
  expect(1, 0, want, "another secret");
  expect(0, 1, want, "stored under that one");
  for (const std::string& damaged : {std::string(), good.substr(0, 15), good + "x"}) {
    write(secret(), damaged);
    expect(1, 0, want, "a damaged secret");
    EXPECT_EQ(content(secret()).size(), 16u) << "made anew";
    expect(0, 1, want, "stored under the new one");
  }
  fs::permissions(secret(), fs::perms::others_write, fs::perm_options::add);
  expect(1, 0, want, "a secret that others could have written");
}

TEST_F(DiskCache, MissingFoldersAreMadeForTheirOwnerOnly) {
  const fs::path deep = folder_ / "a" / "b" / "c";
  const WithSettings there([&](Settings& s) { s.cache_dir = (deep / "").string(); });
  const mode_t before = umask(0);
  compute();
  umask(before);
  for (fs::path path = deep; path != folder_.parent_path(); path = path.parent_path()) {
    struct stat status;
    ASSERT_EQ(stat(path.c_str(), &status), 0) << path;
    EXPECT_EQ(status.st_mode & 0777, 0700u) << path;
  }
}

TEST_F(DiskCache, FoldersThatCannotBeUsedAreDoneWithout) {
  const std::vector<float> want = compute();
  for (const std::string& path :
       {std::string("/dev/null/cache"), std::string("/proc/none/here"), std::string("/"),
        std::string("/tmp/") + std::string(5000, 'x'), std::string("")}) {
    const WithSettings there([&](Settings& s) { s.cache_dir = path; });
    expect(1, 0, want, path);
  }
}

// As a full disk: writing ends in the middle.
TEST_F(DiskCache, AFileThatCannotBeWrittenLeavesNothing) {
  const std::vector<float> want = compute();
  fs::remove(files().at(0));
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  expect(1, 0, want, "no room");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(files().empty());
  expect(1, 0, want, "room again");
  expect(0, 1, want, "stored");
}

TEST_F(DiskCache, TemporaryFilesOfKilledProcessesAreTidied) {
  const std::string hash(32, 'a');
  const fs::path old_file = folder_ / "7-0-123.tmp", new_file = folder_ / "7-1-456.tmp",
                 named_after_kernel = folder_ / (hash + ".kernel.77.0"),
                 foreign = folder_ / "letter.tmp";
  runtime::disk_cache::store("first", "object");
  const auto hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const fs::path& path : {old_file, new_file, named_after_kernel, foreign})
    write(path, std::string(30000, 'x'));
  for (const fs::path& path : {old_file, named_after_kernel, foreign})
    fs::last_write_time(path, hour_ago);
  for (int i = 0; i < 64; ++i) runtime::disk_cache::store(std::to_string(i), "object");
  EXPECT_FALSE(fs::exists(old_file));
  EXPECT_FALSE(fs::exists(named_after_kernel));
  EXPECT_TRUE(fs::exists(new_file)) << "another process may be writing it";
  EXPECT_TRUE(fs::exists(foreign)) << "not ours";
  EXPECT_EQ(runtime::disk_cache::find("0"), "object");

  // What is being written counts: nothing else has room beside it.
  // Of 64 stores one tidies the folder, whichever it is.
  const WithSettings limited([](Settings& s) { s.cache_bytes = 20000; });
  size_t fewest = files().size();
  for (int i = 0; i < 64; ++i) {
    runtime::disk_cache::store(std::to_string(i), "object");
    fewest = std::min(fewest, files().size());
  }
  EXPECT_LT(fewest, 3u);
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
