// Nothing grows without limit: kernels, code memory, plans and identities stay within their limits
// while ever new ones are made, results stay right, and what is cleared is really released.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "codegen/cpu/code_memory.hpp"
#include "core/caching/kernel_id.hpp"
#include "core/caching/structural_cache.hpp"
#include "engine/background.hpp"
#include "engine/plan_cache.hpp"
#include "runtime/cpu/kernel_cache.hpp"
#include "runtime/gpu/modules.hpp"
#include "support/compare.hpp"
#include "support/new_kernels.hpp"
#include "support/output_of.hpp"
#include "support/process_size.hpp"

namespace tutti::test {
namespace {

using Ints = std::vector<int32_t>;

// Small limits and no disk cache, for as long as it lives.
class SmallLimits {
 public:
  static constexpr size_t kernels = 32, plans = 32;
  SmallLimits() {
    use("cpu");
    engine::wait_for_background();
    clear_kernel_cache();
    runtime::set_kernel_limits({kernels, size_t{1} << 20});
    engine::plan_cache().set_most(plans);
  }
  ~SmallLimits() {
    runtime::set_kernel_limits({});
    engine::plan_cache().set_most(engine::PlanCache::most_plans);
  }

 private:
  const WithSettings settings_{[](Settings& s) { s.disk_cache = false; }};
};

Ints evaluated(uint32_t number, const Ints& a, const Ints& b) {
  return kernel_of(number, Array<1, int32_t>(a), Array<1, int32_t>(b)).to_vector();
}

TEST(Bounds, KernelsAndPlansStayWithinTheirLimits) {
  const SmallLimits limits;
  const Ints a = counting(300), b = counting(300);
  int64_t mapped = 0;
  size_t ids = 0;
  for (uint32_t number = 0; number < 300; ++number) {
    ASSERT_EQ(evaluated(number, a, b), kernel_on_host(number, a, b)) << number;
    ASSERT_LE(runtime::kernels_loaded().kernels, SmallLimits::kernels);
    ASSERT_LE(runtime::kernels_loaded().code_bytes, size_t{1} << 20);
    ASSERT_LE(engine::plan_cache().size(), SmallLimits::plans);
    ASSERT_LE(codegen::CodeMemory::instance().bytes_mapped(), size_t{4} << 20);
    if (number == 100) mapped = mappings(), ids = kernel_ids_in_use();
  }
  EXPECT_LE(mappings(), mapped + 20);
  EXPECT_LE(kernel_ids_in_use(), ids + SmallLimits::kernels);
}

TEST(Bounds, NewLengthsOfOneExpressionStayWithinTheLimits) {
  const SmallLimits limits;
  for (int64_t n = 2; n < 400; ++n) {
    const Ints a = counting(n);
    ASSERT_EQ(evaluated(5, a, a), kernel_on_host(5, a, a));
    ASSERT_LE(engine::plan_cache().size(), SmallLimits::plans);
  }
}

TEST(Bounds, ReleasedKernelsAreMadeAnew) {
  const SmallLimits limits;
  const Ints a = counting(1000), b = counting(1000);
  Vec<int32_t> x(a), y(b);
  const auto step = record([&] { x = x * y + 1; }, x);
  const auto vector_of = [&] { return Vec<int32_t>(Vec<int32_t>(a) * y - 7).to_vector(); };
  const Ints before = vector_of();
  step();
  Ints want = a;
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < a.size(); ++i)
      want[i] =
          static_cast<int32_t>(static_cast<uint32_t>(want[i]) * static_cast<uint32_t>(b[i]) + 1u);
    EXPECT_EQ(x.to_vector(), want);
    for (uint32_t number = 1000; number < 1000 + 2 * SmallLimits::kernels; ++number)
      evaluated(number, a, b);  // the kernels of the body and of the expression are released
    EXPECT_EQ(vector_of(), before);
    step();
  }
}

TEST(Bounds, KernelsInUseStayWhileOthersAreReleased) {
  const SmallLimits limits;
  const Ints a = counting(100), b = counting(100);
  const int64_t compiled = statistics().kernels_compiled;
  for (uint32_t number = 0; number < 4 * SmallLimits::kernels; ++number) {
    evaluated(2000 + number, a, b);
    evaluated(1999, a, b);
  }
  EXPECT_EQ(statistics().kernels_compiled - compiled, 4 * SmallLimits::kernels + 1);
}

TEST(Bounds, ClearingReleasesCode) {
  const SmallLimits limits;
  runtime::set_kernel_limits({});
  const Ints a = counting(100);
  for (uint32_t number = 0; number < 100; ++number) evaluated(3000 + number, a, a);
  EXPECT_GE(runtime::kernels_loaded().kernels, 100u);
  clear_kernel_cache();
  EXPECT_EQ(runtime::kernels_loaded().kernels, 0u);
  EXPECT_EQ(runtime::kernels_loaded().code_bytes, 0u);
  EXPECT_LE(codegen::CodeMemory::instance().bytes_mapped(), size_t{1} << 20);
}

// Scans, segmented sums, chains of kernels, recorded bodies and expressions of vectors each hold
// code in their own way.
void evaluate_many_kinds(int t, int rounds) {
  const Ints a = counting(5000 + t), b = counting(5000 + t);
  const Array<2, float> image(std::vector<float>(200 * 300, 1.0f), 200, 300);
  for (int round = 0; round < rounds; ++round) {
    const auto number = static_cast<uint32_t>(4000 + round % 50 + 50 * t);
    ASSERT_EQ(evaluated(number, a, b), kernel_on_host(number, a, b));
    const Array<1, int32_t> ones(Ints(20'000, 1));
    ASSERT_EQ(sum_scan(ones * 2).to_vector().back(), 40'000);
    const Array<1, int32_t> offsets(Ints{0, 5'000, 20'000});
    ASSERT_EQ(segmented_sum(ones + ones, offsets).to_vector(), (Ints{10'000, 30'000}));
    const Array<2, float> once = image + shift(image, {1, 0}, Boundary::clamp());
    const Array<2, float> twice = once + shift(once, {0, 1}, Boundary::clamp());
    ASSERT_EQ(twice.to_vector()[777], 4.0f);
    Vec<int32_t> x(Ints(3000, t));
    const auto step = record([&] { x = x * 2 + 1; }, x);
    step(3);
    ASSERT_EQ(x.to_vector()[2999], 8 * t + 7);
  }
}

TEST(Bounds, ThreadsEvaluateWhileAnotherClears) {
  const SmallLimits limits;
  std::atomic<bool> done = false;
  std::thread clearing([&] {
    while (!done) clear_kernel_cache();
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) threads.emplace_back([t] { evaluate_many_kinds(t, 25); });
  for (std::thread& thread : threads) thread.join();
  done = true;
  clearing.join();
  clear_kernel_cache();
  EXPECT_EQ(runtime::kernels_loaded().kernels, 0u);
  EXPECT_LE(codegen::CodeMemory::instance().bytes_mapped(), size_t{1} << 20);
}

TEST(Bounds, TheSameProgramsTakeNoMoreMemory) {
  if (freed_memory_stays) GTEST_SKIP() << "a sanitizer keeps freed memory";
  const SmallLimits limits;
  const auto round = [] {
    for (int64_t n = 10; n < 60; ++n) {
      const Ints a = counting(n);
      evaluated(static_cast<uint32_t>(n % 8), a, a);
    }
  };
  for (int i = 0; i < 20; ++i) round();
  const int64_t before = process_status("VmRSS");
  for (int i = 0; i < 60; ++i) round();
  EXPECT_LE(process_status("VmRSS"), before + 8 * 1024);
}

// ---- the parts

TEST(Bounds, IdentitiesEndWithTheirLastReference) {
  const size_t before = kernel_ids_in_use();
  {
    const KernelRef a = kernel_id("bounds test, a"), b = kernel_id("bounds test, b");
    EXPECT_EQ(kernel_id("bounds test, a"), a);
    EXPECT_NE(a, b);
    EXPECT_EQ(kernel_ids_in_use(), before + 2);
  }
  EXPECT_EQ(kernel_ids_in_use(), before);
}

struct CountedCode final : LoadedCode {
  explicit CountedCode(int& alive) : LoadedCode(this, 1), alive_(++alive) {}
  ~CountedCode() override { --alive_; }
  int& alive_;
};

TEST(Bounds, CodeEndsWithItsLastUse) {
  int alive = 0;
  const KernelRef id = kernel_id("bounds test, code");
  EXPECT_EQ(id->code.pin(), nullptr);
  EXPECT_NE(id->code.load(std::make_unique<CountedCode>(alive)), nullptr);
  EXPECT_NE(id->code.pin(), nullptr);
  id->code.unpin();  // the caller of load()
  id->code.unpin();  // the cache
  EXPECT_EQ(alive, 1);
  id->code.unpin();
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(id->code.pin(), nullptr);
}

TEST(Bounds, CodeMemoryIsReusedAndGivenBack) {
  codegen::CodeMemory memory;
  std::vector<codegen::CodeMemory::Block> blocks;
  for (int i = 0; i < 400; ++i) blocks.push_back(memory.take(9000));
  EXPECT_EQ(memory.bytes_mapped(), size_t{5} << 20);  // three pages each, 85 in a slab
  const int64_t mapped = mappings();
  const std::vector<char> code(9000, '\x90');
  for (const auto& block : blocks) memory.write(block, code);
  EXPECT_LE(mappings(), mapped + 2 * 5);  // two for each slab, at most
  for (size_t i = 0; i < blocks.size(); i += 2) memory.give_back(blocks[i]);
  for (size_t i = 0; i < blocks.size(); i += 2) blocks[i] = memory.take(9000);
  EXPECT_EQ(memory.bytes_mapped(), size_t{5} << 20);
  const auto large = memory.take(3'000'000);
  EXPECT_GT(memory.bytes_mapped(), (size_t{5} << 20) + 3'000'000 - 1);
  memory.give_back(large);
  for (const auto& block : blocks) memory.give_back(block);
  EXPECT_EQ(memory.bytes_mapped(), size_t{1} << 20);  // one is kept
}

TEST(Bounds, WhatIsAskedForStaysInATable) {
  StructuralCache<int> table(64);
  for (uint64_t i = 0; i < 1000; ++i) {
    table.set({i, 7}, static_cast<int>(i));
    ASSERT_LE(table.size(), 64u);
    ASSERT_EQ(table.find({0, 7}), 0) << i;
    ASSERT_EQ(table.find({i, 7}), static_cast<int>(i));
  }
  EXPECT_FALSE(table.find({1, 7}));
  table.set({0, 7}, 5);
  EXPECT_EQ(table.find({0, 7}), 5);
  table.forget();
  EXPECT_EQ(table.size(), 0u);
}

// ---- modules of a GPU, without one

// Kernels are launched by a driver that runs nothing, but knows which functions are loaded.
TEST(Bounds, ModulesAreUnloadedAfterTheirLastLaunch) {
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string command = "TUTTI_CACHE=0 TUTTI_WAIT=1 TUTTI_DEVICE=cuda LD_LIBRARY_PATH=" +
                              (beside / "stub_driver").string() + ":$LD_LIBRARY_PATH " +
                              (beside / "test_modules_probe").string() + " 2>&1";
  const std::string output = output_of(command);
  EXPECT_NE(output.find("launches of unloaded functions: 0\n"), std::string::npos) << output;
  EXPECT_NE(output.find("within the limit: 1\n"), std::string::npos) << output;
  EXPECT_NE(output.find("loaded in the end: 0\n"), std::string::npos) << output;
}

class FakeModules : public testing::Test {
 protected:
  std::atomic<int> loaded_ = 0, waits_ = 0;
  runtime::gpu::Modules modules_{5, [this] { ++waits_; },
                                 [this](runtime::gpu::Handle) { --loaded_; }};

  runtime::gpu::Handle find(const KernelRef& id) {
    modules_.make_room();
    const auto use = modules_.use();
    return modules_.find(*id, [&] {
      ++loaded_;
      void* handle = const_cast<KernelId*>(id.get());
      return runtime::gpu::Module{handle, handle, nullptr};
    });
  }
};

TEST_F(FakeModules, OldestAreUnloaded) {
  modules_.set_most(32);
  const KernelRef often = kernel_id("often");
  for (int i = 0; i < 300; ++i) {
    const KernelRef id = kernel_id("kernel " + std::to_string(i));
    ASSERT_EQ(find(id), id.get());
    const int before = loaded_;
    ASSERT_EQ(find(often), often.get());
    if (i > 0) {
      ASSERT_LE(loaded_, before) << "the module that is used most was unloaded";
    }
    ASSERT_LE(loaded_, 33);
    ASSERT_EQ(static_cast<size_t>(loaded_), modules_.size());
  }
  EXPECT_LT(waits_, 100);  // some at a time
  modules_.forget();
  EXPECT_EQ(loaded_, 0);
  EXPECT_EQ(often->on_device[5].load(), nullptr);
}

TEST_F(FakeModules, ThoseOfRecordedGraphsStay) {
  modules_.set_most(8);
  const KernelRef id = kernel_id("held");
  find(id);
  auto held = modules_.hold(*id);
  for (int i = 0; i < 50; ++i) find(kernel_id("kernel " + std::to_string(i)));
  EXPECT_EQ(id->on_device[5].load(), id.get());
  modules_.forget();
  EXPECT_EQ(loaded_, 1);
  auto held_again = modules_.hold(*id);
  held.reset();
  modules_.forget();
  EXPECT_EQ(loaded_, 1);
  held_again.reset();
  modules_.forget();
  EXPECT_EQ(loaded_, 0);
}

TEST_F(FakeModules, ThreadsLaunchWhileOthersUnload) {
  modules_.set_most(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        const KernelRef id = kernel_id("kernel " + std::to_string(i % 16));
        ASSERT_EQ(find(id), id.get());
        if (i % 100 == 0) modules_.forget();
      }
    });
  for (std::thread& thread : threads) thread.join();
  modules_.forget();
  EXPECT_EQ(loaded_, 0);
}

}  // namespace
}  // namespace tutti::test
