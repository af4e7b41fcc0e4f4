// Mutated entries of the disk cache: what is found is what was stored, or nothing.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <filesystem>
#include <fstream>

#include "fuzz/mutate.hpp"
#include "fuzz/watchdog.hpp"
#include "runtime/code/disk_cache.hpp"
#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST(Fuzz, MutatedCacheEntriesAreNotFound) {
  const int64_t first = first_seed();
  const int64_t inputs = number_setting("TUTTI_TEST_INPUTS", 1500);
  const fs::path folder =
      fs::path(::testing::TempDir()) / ("tutti_fuzz_" + std::to_string(getpid()));
  Settings s = settings();
  s.disk_cache = true;
  s.cache_dir = folder.string();
  set_settings(s);
  const std::string key = "a key", object(700, 'x');
  runtime::disk_cache::store(key, object);
  ASSERT_EQ(runtime::disk_cache::find(key), object);
  std::vector<fs::path> files;
  for (const auto& item : fs::directory_iterator(folder)) files.push_back(item.path());
  ASSERT_EQ(files.size(), 2u) << "the entry and the secret";
  std::vector<std::string> contents{read(files[0]), read(files[1])};
  const std::vector<Field> fields{{0, 8}, {8, 8}, {16, 8}, {24, 8}};

  const Watchdog watchdog;
  for (int64_t seed = first; seed < first + inputs; ++seed) {
    Watchdog::at(seed);
    Mutation mutation(static_cast<uint64_t>(seed));
    const size_t which = mutation.pick(2);
    const std::string bytes = mutation.apply(contents[which], fields);
    write(files[which], bytes);
    const auto found = runtime::disk_cache::find(key);
    if (bytes == contents[which])
      EXPECT_EQ(found, object);
    else
      EXPECT_FALSE(found) << "seed " << seed;
    write(files[which], contents[which]);
  }
  EXPECT_EQ(runtime::disk_cache::find(key), object);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace tutti::test
