// soak_memory [seconds] [seed]: evaluates ever new programs, shapes, recorded bodies, captured and
// nested programs, checks their results, and prints every ten seconds what the process holds.
// Fails if resident memory in the last third of the time is more than 5 % and 8 MB above that in
// the second third. Fails if mappings, descriptors or threads have grown.
#include <tutti/tutti.hpp>

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include "codegen/cpu/code_memory.hpp"
#include "core/caching/kernel_id.hpp"
#include "engine/plan_cache.hpp"
#include "runtime/cpu/kernel_cache.hpp"
#include "support/new_kernels.hpp"
#include "support/process_size.hpp"

namespace tutti::test {
namespace {

using Clock = std::chrono::steady_clock;
using Ints = std::vector<int32_t>;
using Random = std::mt19937_64;

int64_t between(Random& random, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

void require(bool right, const char* what) {
  if (!right) throw std::runtime_error(std::string("wrong result: ") + what);
}

Ints numbers(Random& random, int64_t count, int least, int most) {
  Ints result(static_cast<size_t>(count));
  for (int32_t& x : result) x = static_cast<int32_t>(between(random, least, most));
  return result;
}

// ---- one of each kind, new each time

void new_kernel(Random& random) {
  const auto number = static_cast<uint32_t>(random() % (1u << kernel_bits));
  const Ints a = counting(between(random, 1, 3000)), b(a.rbegin(), a.rend());
  const auto got = kernel_of(number, Array<1, int32_t>(a), Array<1, int32_t>(b)).to_vector();
  require(got == kernel_on_host(number, a, b), "new kernel");
}

void new_shape(Random& random) {
  const int64_t rows = between(random, 1, 200), columns = between(random, 1, 300);
  const Array<2, float> a(std::vector<float>(static_cast<size_t>(rows * columns), 2.0f), rows,
                          columns);
  const Array<2, float> b = a + shift(a, {between(random, 0, 2), 1}, Boundary::clamp());
  const Array<2, float> c = sqrt(b * b) + shift(b, {0, 1}, Boundary::wrap());
  require(float(sum(c)) == 8.0f * static_cast<float>(rows * columns), "new shape");
}

void new_vector(Random& random) {
  const int64_t n = between(random, 1, 20'000);
  const Vec<float> a(std::vector<float>(static_cast<size_t>(n), 3.0f));
  const Vec<float> b = a * 2.0f + shift(a, between(random, -3, 3), Boundary::constant(3.0f));
  require(b.to_vector().back() == 9.0f, "new vector");
}

void new_recorded_body(Random& random) {
  const int64_t n = between(random, 1, 5000);
  const auto number = static_cast<uint32_t>(random() % (1u << kernel_bits));
  const Ints a = counting(n), b = numbers(random, n, -5, 5);
  Vec<int32_t> x(a);
  const Vec<int32_t> y(b);
  const auto step = record([&] { x = kernel_of(number, x, y); }, x);
  step(3);
  Ints want = a;
  for (int i = 0; i < 3; ++i) want = kernel_on_host(number, want, b);
  require(x.to_vector() == want, "recorded body");
}

void new_captured_program(Random& random) {
  const auto number = static_cast<uint32_t>(random() % 1024);
  const Program p = program([&](Value1f x, Value1f y) {
    Value1f z = x;
    for (int bit = 0; bit < 10; ++bit) z = number >> bit & 1 ? Value1f(z + y) : Value1f(z * y);
    return z;
  });
  const int64_t n = between(random, 1, 2000);
  const Array<1, float> ones(std::vector<float>(static_cast<size_t>(n), 1.0f));
  const Array<1, float> got = p(ones, ones);
  require(got.to_vector().back() == 1.0f + static_cast<float>(std::popcount(number)), "program");
}

Seq<int> quicksort(const Seq<int>& a) {
  return if_(
      length(a) < 2, [&] { return a; },
      [&] {
        const Scalar<int> pivot = a[length(a) / 2];
        const Seq<Seq<int>> sorted =
            each(seq(filter(a, a < pivot), filter(a, a > pivot)), quicksort);
        return concat(sorted[0], filter(a, a == pivot), sorted[1]);
      });
}

void new_nested_program(Random& random) {
  Ints a = numbers(random, between(random, 1, 400), 0, 100'000);
  const Ints got = quicksort(Seq<int>(a)).to_vector();
  std::ranges::sort(a);
  require(got == a, "nested program");
}

void new_primitives(Random& random) {
  const int64_t n = between(random, 1, 10'000);
  Ints a = numbers(random, n, -1000, 1000);
  const Array<1, int32_t> x(a);
  const Ints got = sort(x + 1).to_vector();
  const Ints sums = sum_scan(x * 2).to_vector();
  int32_t total = 0;
  for (int32_t v : a) total += 2 * v;
  require(sums.back() == total, "scan");
  std::ranges::sort(a);
  for (int32_t& v : a) ++v;
  require(got == a, "sort");
}

// ---- what the process holds

struct Held {
  int64_t kilobytes, mappings, descriptors, threads;
};

Held held_now() {
  return {process_status("VmRSS"), mappings(), descriptors(), process_status("Threads")};
}

void print_header() {
  std::printf("%6s %9s %7s %5s %5s %8s %7s %8s %6s %6s %8s %8s %8s\n", "s", "rss kB", "maps", "fds",
              "thr", "compiled", "kernels", "code kB", "ids", "plans", "pool kB", "heap kB",
              "free kB");
}

void print_line(double seconds, const Held& held) {
  const struct mallinfo2 heap = mallinfo2();
  const runtime::KernelCounts kernels = runtime::kernels_loaded();
  const auto number = [](auto n) { return static_cast<long>(n); };
  std::printf("%6.0f %9ld %7ld %5ld %5ld %8ld %7ld %8ld %6ld %6ld %8ld %8ld %8ld\n", seconds,
              number(held.kilobytes), number(held.mappings), number(held.descriptors),
              number(held.threads), number(statistics().kernels_compiled), number(kernels.kernels),
              number(kernels.code_bytes >> 10), number(kernel_ids_in_use()),
              number(engine::plan_cache().size()), number(statistics().bytes_in_pool >> 10),
              number(heap.uordblks >> 10), number(heap.fordblks >> 10));
  std::fflush(stdout);
}

int64_t mean(const std::vector<Held>& all, size_t first, size_t last, int64_t Held::* what) {
  int64_t total = 0;
  for (size_t i = first; i < last; ++i) total += all[i].*what;
  return total / static_cast<int64_t>(std::max<size_t>(last - first, 1));
}

// The last third against the second.
bool is_flat(const std::vector<Held>& all, const char* name, int64_t Held::* what, double factor,
             int64_t slack) {
  const size_t n = all.size();
  const int64_t second = mean(all, n / 3, 2 * n / 3, what), last = mean(all, 2 * n / 3, n, what);
  const bool flat = last <= static_cast<int64_t>(factor * static_cast<double>(second)) + slack;
  std::printf("%s: %ld in the second third, %ld in the last: %s\n", name, static_cast<long>(second),
              static_cast<long>(last), flat ? "flat" : "GROWS");
  return flat;
}

int run(double seconds, uint64_t seed) {
  constexpr void (*kinds[])(Random&) = {
      new_kernel,           new_shape,          new_vector,    new_recorded_body,
      new_captured_program, new_nested_program, new_primitives};
  Random random(seed);
  std::vector<Held> all;
  const auto start = Clock::now();
  const double interval = std::min(10.0, seconds / 12);
  int64_t rounds = 0;
  std::printf("%.0f s from seed %lu\n", seconds, static_cast<unsigned long>(seed));
  print_header();
  for (double now = 0; now < seconds;) {
    kinds[random() % std::size(kinds)](random);
    ++rounds;
    now = std::chrono::duration<double>(Clock::now() - start).count();
    if (now < interval * static_cast<double>(all.size() + 1)) continue;
    all.push_back(held_now());
    print_line(now, all.back());
  }
  std::printf("%ld programs, all results right\n", static_cast<long>(rounds));
  bool flat = is_flat(all, "resident kB", &Held::kilobytes, 1.05, 8192);
  flat &= is_flat(all, "mappings", &Held::mappings, 1.05, 32);
  flat &= is_flat(all, "descriptors", &Held::descriptors, 1.0, 0);
  flat &= is_flat(all, "threads", &Held::threads, 1.0, 0);
  return flat ? 0 : 1;
}

}  // namespace
}  // namespace tutti::test

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 60;
  const uint64_t seed =
      count > 2 ? std::strtoull(arguments[2], nullptr, 10) : std::random_device()();
  try {
    return tutti::test::run(seconds, seed);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}
