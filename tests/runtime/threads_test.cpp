// Many threads of the program at once: building, evaluating the same array, sharing subexpressions,
// compiling the same kernel. Run under TUTTI_SANITIZE=thread too.
#include <atomic>
#include <functional>
#include <thread>

#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

constexpr int thread_count = 8;

// Calls work(0), work(1), ... on as many threads, started together.
void together(const std::function<void(int)>& work) {
  std::atomic<int> waiting{thread_count};
  std::vector<std::thread> threads;
  for (int t = 0; t < thread_count; ++t)
    threads.emplace_back([&, t] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      work(t);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, EachItsOwnArrays) {
  together([](int t) {
    for (int i = 1; i < 60; ++i) {
      const Array<1, float> a(plain<float>(i * 10));
      const std::vector<float> got = (a * static_cast<float>(t) + shift(a, {1})).to_vector();
      for (size_t k = 1; k < got.size(); ++k)
        ASSERT_EQ(got[k],
                  plain<float>(i * 10)[k] * static_cast<float>(t) + plain<float>(i * 10)[k - 1]);
    }
  });
}

TEST(Threads, AllTheSamePendingArray) {
  for (int round = 0; round < 50; ++round) {
    const Array<1, float> a(plain<float>(1000)), x = sqrt(a) + a * static_cast<float>(round);
    const std::vector<float> want = (sqrt(a) + a * static_cast<float>(round)).to_vector();
    together([&](int) { EXPECT_EQ(x.to_vector(), want); });
  }
}

TEST(Threads, SharedSubexpressions) {
  for (int round = 0; round < 50; ++round) {
    const Array<2, float> a = plain_array<2>({30, 40});
    const Array<2, float> shared = exp(a * 0.01f) + static_cast<float>(round);
    std::vector<std::vector<float>> got(thread_count), want(thread_count);
    together([&](int t) {
      const auto x = rotate(shared, {t, 1}) * shared;
      got[t] = (t % 2 ? x : x + sum(shared, 0)).to_vector();
    });
    for (int t = 0; t < thread_count; ++t) {
      const auto x = rotate(shared, {t, 1}) * shared;
      want[t] = (t % 2 ? x : x + sum(shared, 0)).to_vector();
      ASSERT_EQ(got[t], want[t]) << "round " << round << ", thread " << t;
    }
  }
}

// Memory that a kernel passes to the next one of a plan is soon reused by the plan of another
// thread. On a GPU, where kernels wait to be started together, those of all threads must start in
// order.
TEST(Threads, PlansOfManyKernelsInTheSameMemory) {
  const auto centred = [](int t) {
    Array<1, float> x(plain<float>(5000));
    for (int i = 0; i < 10; ++i) x = x * static_cast<float>(t + 1) - sum(x) / 5000.0f;
    return x.to_vector();
  };
  std::vector<std::vector<float>> want;
  for (int t = 0; t < thread_count; ++t) want.push_back(centred(t));
  together([&](int t) {
    for (int round = 0; round < 20; ++round) ASSERT_EQ(centred(t), want[static_cast<size_t>(t)]);
  });
}

TEST(Threads, CopiesAreAssignedWhileOthersRead) {
  const Array<1, float> original(plain<float>(500));
  together([&](int t) {
    Array<1, float> x = original;
    for (int i = 0; i < 100; ++i) x = x + static_cast<float>(t);
    EXPECT_EQ(x.to_vector()[7], plain<float>(8)[7] + 100.0f * static_cast<float>(t));
  });
  EXPECT_EQ(original.to_vector(), plain<float>(500));
}

TEST(Threads, CompileTheSameKernelOnce) {
  clear_kernel_cache();
  const WithSettings no_disk([](Settings& s) { s.disk_cache = false; });
  const int64_t before = statistics().kernels_compiled;
  together([](int) {
    const Array<1, double> a(plain<double>(100));
    (log(a + 1.0) * 3.0 - cbrt(a)).evaluate();
  });
  EXPECT_EQ(statistics().kernels_compiled - before, 1);
}

TEST(Threads, ChangeTheSettingsMeanwhile) {
  together([](int t) {
    if (t == 0) {
      for (int i = 0; i < 100; ++i) {
        const WithSettings s([&](Settings& s) { s.threads = i % 5; });
        clear_kernel_cache();
        trim_pool();
      }
    } else {
      for (int i = 0; i < 30; ++i) {
        const Array<1, float> a(plain<float>(100000 + i));
        ASSERT_EQ((a + 1.0f).to_vector()[99999], a.to_vector()[99999] + 1);
      }
    }
  });
}

TEST(Threads, ErrorsInOneLeaveTheOthers) {
  const Array<1, float> a(plain<float>(100)), b(plain<float>(99));
  together([&](int t) {
    for (int i = 0; i < 100; ++i) {
      if (t % 2)
        EXPECT_THROW(a + b, ShapeError);
      else
        EXPECT_EQ((a + a).to_vector()[5], 2 * plain<float>(6)[5]);
    }
  });
}

}  // namespace
}  // namespace tutti::test
