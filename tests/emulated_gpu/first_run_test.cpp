// Graphs for which a GPU has no code yet: the CPU computes them the first time, and their code is
// compiled in the background, primitives included.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <tutti/tutti.hpp>

#include "engine/background.hpp"
#include "engine/policy.hpp"
#include "runtime/memory/buffer.hpp"

namespace tutti::test {
namespace {

// No code is there, and nothing waits for the compiler.
class FirstRun : public testing::Test {
 protected:
  FirstRun() : before_(settings()) {
    Settings changed = before_;
    changed.wait_for_compiler = false;
    changed.disk_cache = false;
    set_settings(changed);
    clear_kernel_cache();
  }
  ~FirstRun() override {
    engine::wait_for_background();
    set_settings(before_);
  }

  template <int D, class T>
  static bool is_on_host(const Array<D, T>& a) {
    return runtime::array_of(*a.node()->buffer).is_on_host();
  }
  static std::vector<float> numbers() {
    std::vector<float> result(100000);
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = static_cast<float>((i * 7919) % 10007) - 5000.0f;
    return result;
  }

 private:
  const Settings before_;
};

TEST_F(FirstRun, IsOnTheCpuAndTheNextOnTheGpu) {
  const Array<1, float> a(numbers());
  const auto compute = [&] {
    Array<1, float> r = sqrt(abs(a)) * 3.0f - a;
    r.evaluate();
    return r;
  };
  const Array<1, float> first = compute(), second = compute();
  EXPECT_TRUE(is_on_host(first));
  EXPECT_FALSE(is_on_host(second));
  EXPECT_EQ(first.to_vector(), second.to_vector());
}

TEST_F(FirstRun, WaitsIfItIsToldTo) {
  Settings patient = settings();
  patient.wait_for_compiler = true;
  set_settings(patient);
  Array<1, float> r = sin(Array<1, float>(numbers())) * 0.5f;
  r.evaluate();
  EXPECT_FALSE(is_on_host(r));
}

TEST_F(FirstRun, LargeWorkIsLeftToTheGpu) {
  const auto may_begin = [](int64_t elements) {
    const Array<1, float> a = Array<1, float>(Shape<1>(elements), 2.0f) * 0.5f;
    std::lock_guard lock(ir::graph_mutex());
    return engine::may_begin_on_cpu(a.nodes());
  };
  EXPECT_TRUE(may_begin(1000));
  EXPECT_FALSE(may_begin(int64_t{1} << 36));
}

// The background compiles what a primitive launches: the second run compiles nothing.
TEST_F(FirstRun, PrimitivesAreRehearsed) {
  const std::vector<float> values = numbers();
  const Array<1, float> a(values);
  std::vector<int> lengths(10000, 10), targets(values.size());
  for (size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<int>(i * 31 % 500);
  const Array<1, int> to(targets);
  const Array<1, int> offsets = offsets_of_lengths(Array<1, int>(lengths));
  offsets.evaluate();
  const Array<1, int> whole(std::vector<int>{0, static_cast<int>(values.size())});
  const std::vector<std::pair<std::string, std::function<std::vector<float>()>>> programs{
      {"sort", [&] { return sort(a + 1.0f).to_vector(); }},
      {"scan", [&] { return sum_scan(a * 2.0f).to_vector(); }},
      {"segmented sum", [&] { return segmented_sum(a - 3.0f, offsets).to_vector(); }},
      {"the sum of one segment", [&] { return segmented_sum(a * a, whole).to_vector(); }},
      {"scatter",
       [&] {
         return scatter(Array<1, float>(Shape<1>(500), 0.0f), to, a * 0.5f, Collision::sum)
             .to_vector();
       }},
  };
  for (const auto& [name, program] : programs) {
    const std::vector<float> first = program();
    engine::wait_for_background();
    const int64_t compiled = statistics().kernels_compiled;
    EXPECT_EQ(program(), first) << name;
    EXPECT_EQ(statistics().kernels_compiled, compiled) << name;
  }
}

}  // namespace
}  // namespace tutti::test
