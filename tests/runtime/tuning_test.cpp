// TUTTI_TUNE: several plans of a graph take turns, results stay the same, and the fastest is found
// again from disk. What is wrong there is ignored.
#include "engine/tuning.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/compare.hpp"
#include "target/cpu_variants.hpp"

namespace tutti::test {
namespace {

namespace fs = std::filesystem;

class Tuning : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("tutti_tuning_test_" + std::to_string(getpid()));
    before_ = settings();
    Settings s = before_;
    s.cache_dir = folder_.string();
    s.disk_cache = true;
    set_settings(s);
    clear_kernel_cache();
    image_.evaluate();
  }
  void TearDown() override {
    engine::set_tuning(false);
    set_settings(before_);
    clear_kernel_cache();
    fs::remove_all(folder_);
  }

  // Two stencils of an image: they may be one kernel, two, or run in row blocks.
  std::vector<float> blurred() const {
    Array<2, float> x = image_;
    for (int i = 0; i < 3; ++i) {
      const Array<2, float> across = shift(x, {0, 1}) + x * 2.0f + shift(x, {0, -1});
      x = exp(-(shift(across, {1, 0}) + across + shift(across, {-1, 0})) * 0.01f);
    }
    return x.to_vector();
  }
  // As many evaluations as decide every contest.
  void decide() const {
    for (size_t i = 0; i < 4 * target::cpu_variants().size(); ++i) blurred();
  }
  template <class Change>
  void change_files(const Change& change) const {
    for (const auto& item : fs::directory_iterator(folder_)) {
      if (item.path().filename() == "secret") continue;
      std::ifstream file(item.path(), std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(file), {}};
      change(text);
      std::ofstream(item.path(), std::ios::binary | std::ios::trunc) << text;
    }
  }

  fs::path folder_;
  Settings before_;
  Array<2, float> image_ = cast<float>(index(Shape<2>(300, 400), 1) % 7);
};

TEST_F(Tuning, EveryTurnHasTheSameResult) {
  const ScopedDevice cpu("cpu");
  const std::vector<float> want = blurred();
  engine::set_tuning(true);
  for (size_t i = 0; i < 5 * target::cpu_variants().size(); ++i) EXPECT_EQ(blurred(), want);
  const auto winners = engine::tuning_winners();
  ASSERT_EQ(winners.size(), 1u);
  EXPECT_NE(winners[0], "");
}

TEST_F(Tuning, TheWinnerIsFoundOnDisk) {
  const ScopedDevice cpu("cpu");
  engine::set_tuning(true);
  const std::vector<float> want = blurred();
  EXPECT_EQ(engine::tuning_winners(), std::vector<std::string>{""});
  decide();
  const auto winners = engine::tuning_winners();
  clear_kernel_cache();
  EXPECT_EQ(blurred(), want);
  EXPECT_EQ(engine::tuning_winners(), winners);
}

TEST_F(Tuning, DamagedAndForeignEntriesAreIgnored) {
  const ScopedDevice cpu("cpu");
  engine::set_tuning(true);
  const std::vector<float> want = blurred();
  decide();
  ASSERT_NE(engine::tuning_winners()[0], "");
  const auto expect_ignored = [&] {
    clear_kernel_cache();
    EXPECT_EQ(blurred(), want);
    EXPECT_EQ(engine::tuning_winners(), std::vector<std::string>{""});
    decide();
  };
  change_files([](std::string& text) { text.back() = static_cast<char>(text.back() + 1); });
  expect_ignored();
  change_files([](std::string& text) { text.resize(text.size() / 2); });
  expect_ignored();
  fs::remove(folder_ / "secret");  // then all of them are foreign
  expect_ignored();
}

TEST_F(Tuning, IsOffUnlessAskedFor) {
  const ScopedDevice cpu("cpu");
  blurred();
  EXPECT_TRUE(engine::tuning_winners().empty());
}

}  // namespace
}  // namespace tutti::test
