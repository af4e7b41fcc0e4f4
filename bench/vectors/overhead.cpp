// What Tutti itself costs where the work is small: building a node, evaluating an expression that
// was met before, compiling a kernel and loading one from the disk cache.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Vector = Array<1, float>;
constexpr size_t small_size = 1024;

Vector small_vector(uint64_t seed) {
  Vector vector(random_numbers(small_size, 1, 2, seed));
  vector.evaluate();
  return vector;
}

Vector ten_operations(const Vector& a, const Vector& b) {
  const Vector difference = a - b;                // 1
  const Vector mean = (a + b) * 0.5f;             // 2, 3
  const Vector square = difference * difference;  // 4
  const Vector root = sqrt(square + mean);        // 5, 6
  const Vector least = min(root, mean);           // 7
  return max(least, difference) / mean - square;  // 8, 9, 10
}

namespace baseline {

void ten_operations(const Buffer<>& a, const Buffer<>& b, const Buffer<>& out) {
  for (size_t i = 0; i < out.size(); ++i) {
    const float difference = a[i] - b[i], mean = (a[i] + b[i]) * 0.5f;
    const float square = difference * difference;
    const float least = std::min(std::sqrt(square + mean), mean);
    out[i] = std::max(least, difference) / mean - square;
  }
}

}  // namespace baseline

Workload prepare_small_expression() {
  const Buffer<> a = random_numbers(small_size, 1, 2, 1), b = random_numbers(small_size, 1, 2, 2);
  const Buffer<> out(small_size);
  const Vector va = small_vector(1), vb = small_vector(2);
  return {
      .tutti = [=] { ten_operations(va, vb).evaluate(); },
      .baseline = [=] { baseline::ten_operations(a, b, out); },
      .disagreement = [=] { return disagreement(out, ten_operations(va, vb)); },
      .inputs = {a, b},
      .outputs = {out},
  };
}

Probe prepare_cached_evaluation() {
  const Vector a = small_vector(1), b = small_vector(2);
  auto run = [=] { ten_operations(a, b).evaluate(); };
  const int64_t plans = statistics().plans_built;
  auto check = [=](int) {
    if (statistics().plans_built > plans + 1)
      throw std::runtime_error("the expression was planned more than once");
  };
  return {.before = [] {}, .run = run, .check = check};
}

Probe prepare_nodes() {
  constexpr int nodes = 1000;  // below Settings::max_pending_operations
  const Vector a = small_vector(1);
  auto run = [=] {
    Vector chain = a;
    for (int i = 0; i < nodes; ++i) chain = chain + a;
  };
  return {.before = [] {}, .run = run, .check = [](int) {}, .operations = nodes};
}

// A chain of additions, multiplications, minima and maxima, a different one for each number.
Vector chain(const Vector& a, const Vector& b, int operations, uint64_t number) {
  Vector x = a;
  uint64_t choices = number;
  for (int i = 0; i < operations; ++i) {
    const Vector& y = i % 2 == 0 ? b : a;
    const uint64_t choice = choices % 4;
    x = choice == 0 ? x + y : choice == 1 ? x * y : choice == 2 ? min(x, y) : max(x, y);
    choices = choices / 4 + (choice + 1) * 0x9e3779b97f4a7c15;  // never runs out
  }
  return x;
}

// Other settings for as long as it lives.
class SettingsScope {
 public:
  explicit SettingsScope(const Settings& temporary) : before_(settings()) {
    set_settings(temporary);
  }
  SettingsScope(const SettingsScope&) = delete;
  ~SettingsScope() { set_settings(before_); }

 private:
  Settings before_;
};

// A folder of its own for the disk cache, removed at the end.
class CacheFolder {
 public:
  CacheFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tutti-bench-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder: " + pattern);
    path_ = pattern;
  }
  CacheFolder(const CacheFolder&) = delete;
  ~CacheFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Settings without_disk_cache() {
  Settings changed = settings();
  changed.disk_cache = false;
  return changed;
}

Settings with_disk_cache(const std::string& folder) {
  Settings changed = settings();
  changed.disk_cache = true;
  changed.cache_dir = folder;
  return changed;
}

// Build, compile and run for the first time: a new kernel in each repetition.
Probe prepare_compilation(int operations) {
  struct State {
    SettingsScope scope{without_disk_cache()};
    Vector a = small_vector(1), b = small_vector(2);
    uint64_t number = 0;
    int64_t compiled = statistics().kernels_compiled;
  };
  auto state = std::make_shared<State>();
  auto before = [=] {
    clear_kernel_cache();
    ++state->number;
  };
  auto run = [=] { chain(state->a, state->b, operations, state->number).evaluate(); };
  auto check = [=](int repetitions) {
    if (statistics().kernels_compiled < state->compiled + repetitions)
      throw std::runtime_error("some repetitions compiled nothing");
  };
  return {.before = before, .run = run, .check = check};
}

// Build, load from disk and run: always the same kernel, forgotten in between.
Probe prepare_disk_load(int operations) {
  struct State {
    CacheFolder folder;
    SettingsScope scope{with_disk_cache(folder.path())};
    Vector a = small_vector(1), b = small_vector(2);
    int64_t loaded = 0;
  };
  auto state = std::make_shared<State>();
  auto run = [=] { chain(state->a, state->b, operations, 0).evaluate(); };
  clear_kernel_cache();
  run();  // fills the cache
  state->loaded = statistics().kernels_from_disk;
  auto check = [=](int repetitions) {
    if (statistics().kernels_from_disk < state->loaded + repetitions)
      throw std::runtime_error("some repetitions loaded nothing from the disk cache");
  };
  return {.before = [] { clear_kernel_cache(); }, .run = run, .check = check};
}

Gauge milliseconds(const char* name, const char* description, Probe (*prepare)()) {
  return {.name = name,
          .description = description,
          .unit = "ms",
          .units_a_second = 1e3,
          .prepare = prepare};
}

}  // namespace

Comparison small_expression_benchmark() {
  const Size size{"1024", true, prepare_small_expression};
  return {.name = "small_expression",
          .description = "ten operations on 1024 floats; baseline one loop, or one launch",
          .sizes = {size},
          .gpu_sizes = {size}};
}

Gauge cached_evaluation_gauge() {
  return {.name = "overhead_cached",
          .description = "build and evaluate ten operations on 1024 floats, met before",
          .unit = "us",
          .units_a_second = 1e6,
          .prepare = prepare_cached_evaluation};
}

Gauge node_gauge() {
  return {.name = "overhead_node",
          .description = "build one node of the graph and drop it",
          .unit = "ns",
          .units_a_second = 1e9,
          .prepare = prepare_nodes};
}

Gauge small_compilation_gauge() {
  return milliseconds("overhead_compile_4", "first evaluation of 4 operations, no disk cache",
                      [] { return prepare_compilation(4); });
}

Gauge large_compilation_gauge() {
  return milliseconds("overhead_compile_300", "first evaluation of 300 operations, no disk cache",
                      [] { return prepare_compilation(300); });
}

Gauge small_disk_load_gauge() {
  return milliseconds("overhead_disk_4", "first evaluation of 4 operations, from the disk cache",
                      [] { return prepare_disk_load(4); });
}

Gauge large_disk_load_gauge() {
  return milliseconds("overhead_disk_300",
                      "first evaluation of 300 operations, from the disk cache",
                      [] { return prepare_disk_load(300); });
}

}  // namespace tutti::bench
