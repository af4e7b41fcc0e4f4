// The driver-free runtime on the emulated driver: what it does when the device is full, when
// kernels fail, when copies are large, and that kernels of several plans are grouped.
#include <gtest/gtest.h>

#include <tutti/tutti.hpp>

#include "runtime/memory/buffer.hpp"
#include "support/emulated_gpu/device.hpp"

namespace tutti::test {
namespace {

EmulatedDevice& other() {
  static EmulatedDevice device = [] {
    EmulatedDevice made = make_emulated_gpu("emulated:1");
    runtime::add_device(*made.device);
    return made;
  }();
  return device;
}

std::vector<int> counting(int n) {
  std::vector<int> numbers(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) numbers[static_cast<size_t>(i)] = i;
  return numbers;
}

// Copies of several staging buffers travel in a queue of their own, there and back.
TEST(EmulatedDriver, LargeCopiesArrive) {
  const std::vector<int> numbers = counting(10 << 20);
  const Array<1, int> a(numbers);
  const std::vector<int> doubled = (a + a).to_vector();
  for (size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(doubled[i], 2 * numbers[i]);
}

// Results of one evaluation are read while those of others are being computed.
TEST(EmulatedDriver, MemoryIsUsedAgainInOrder) {
  for (int round = 0; round < 20; ++round) {
    const Array<1, int> a(counting(100000));
    const Array<1, int> b = a * 3 + round;
    b.evaluate();
    const Array<1, int> c(std::vector<int>(100000, round));
    const std::vector<int> got = (b + c).to_vector();
    for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], 3 * static_cast<int>(i) + 2 * round);
  }
}

TEST(EmulatedDriver, FullDeviceMovesArraysToTheHost) {
  other().driver.set_memory(size_t{16} << 20);
  const ScopedDevice here("emulated:1");
  std::vector<Array<1, int>> arrays;
  for (int k = 0; k < 20; ++k) {
    arrays.push_back(Array<1, int>(counting(1 << 19)) + k);  // 2 MiB each
    arrays.back().evaluate();
  }
  for (int k = 0; k < 20; ++k) {
    const std::vector<int> got = arrays[static_cast<size_t>(k)].to_vector();
    ASSERT_EQ(got[0], k);
    ASSERT_EQ(got.back(), (1 << 19) - 1 + k);
  }
  EXPECT_THROW((Array<1, int>(counting(1 << 23)) + 1).evaluate(), OutOfMemory);
  other().driver.set_memory(size_t{1} << 30);
}

// Sequences of kernels become graphs when they are seen often; results stay the same.
TEST(EmulatedDriver, SequencesOfKernelsBecomeGraphs) {
  for (int round = 0; round < 8; ++round) {
    const Array<1, int> a(std::vector<int>(5000, round));
    const Array<1, int> b = a - sum(a) + a;
    EXPECT_EQ((b * 2 + sum(b)).to_vector()[17],
              2 * (2 * round - 5000 * round) + 5000 * (2 * round - 5000 * round));
  }
}

// Bodies that are recorded run as one graph.
TEST(EmulatedDriver, RecordedBodiesRunAgain) {
  Vec<int> x(std::vector<int>(3000, 1));
  const Vec<int> y(std::vector<int>(3000, 2));
  const auto body = record([&] { x = x * y + 1; }, x);
  body(5);
  EXPECT_EQ(x.to_vector()[0], 63);
}

TEST(EmulatedDriver, AnUnknownDeviceIsRefusedWithTheNamesThereAre) {
  try {
    use("emulated:77");
    FAIL() << "no exception";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("emulated"), std::string::npos) << error.what();
  }
}

// ---- kernels that are wrong, called directly

void diverges(const int64_t*, ThreadContext* context) {
  if (context->thread_x != 5) context->shuffle(context, 0, 1);
}
void skips_a_barrier(const int64_t*, ThreadContext* context) {
  if (context->thread_x < 64) context->barrier(context);
}
void shuffles(const int64_t* words, ThreadContext* context) {
  const uint64_t next = context->shuffle(context, context->thread_x, 1);
  auto* out = reinterpret_cast<uint64_t*>(words[0]);
  out[context->thread_x] = next;
}

TEST(BlockRunner, ReportsThreadsThatDoNotMeet) {
  BlockRunner runner;
  const schedule::Grid grid{1, 1, 128, 1};
  EXPECT_NE(runner.run(diverges, {1, 0}, grid, {}).find("do not come to a shuffle"),
            std::string::npos);
  EXPECT_NE(runner.run(skips_a_barrier, {1, 0}, grid, {}).find("do not come to a barrier"),
            std::string::npos);
}

TEST(BlockRunner, ShufflesWithinWarps) {
  BlockRunner runner;
  std::vector<uint64_t> out(64);
  const int64_t words[] = {reinterpret_cast<int64_t>(out.data())};
  EXPECT_EQ(runner.run(shuffles, {1, 0}, {1, 1, 64, 1}, words), "");
  for (size_t t = 0; t < 64; ++t) {
    if (t % 32 != 31) {
      EXPECT_EQ(out[t], t + 1);
    } else {
      EXPECT_NE(out[t], t + 1);  // beyond the warp
    }
  }
}

}  // namespace
}  // namespace tutti::test
