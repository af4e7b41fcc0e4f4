// Vec: the four tests of the CUDA Expression Templates paper as it has them, at its sizes, and what
// an assignment to a small vector costs. The baselines are threaded loops.
#include <cmath>

#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/vectors.hpp"
#include "bench/vectors/vec.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

// Tutti's side of a test: it assigns to a vector that was there before, like the baselines.
template <class Assign, class Baseline>
Workload compare(const VecTest& test, Assign assign, Baseline baseline) {
  auto target = std::make_shared<Vec<float>>(test.out.size());
  return {.tutti = [=] { assign(*target); },
          .baseline = baseline,
          .disagreement =
              [=] {
                assign(*target);
                return disagreement(test.out, target->array());
              },
          .bytes = (test.inputs.size() + 1.0) * test.out.size() * sizeof(float),
          .inputs = {test.inputs.begin(), test.inputs.end()},
          .outputs = {test.out}};
}

Workload prepare_add(size_t count) {
  const VecTest t(count, 2);
  return compare(
      t, [b = t.vec(0), c = t.vec(1)](Vec<float>& a) { a = b + c; },
      [=] { fill(t.out, [b = t.data(0), c = t.data(1)](size_t i) { return b[i] + c[i]; }); });
}

Workload prepare_axpby(size_t count) {
  const VecTest t(count, 2);
  return compare(
      t, [b = t.vec(0), c = t.vec(1)](Vec<float>& a) { a = 0.12f * b + 7.54f * c; },
      [=] {
        fill(t.out,
             [b = t.data(0), c = t.data(1)](size_t i) { return 0.12f * b[i] + 7.54f * c[i]; });
      });
}

// The old a is a vector of its own, so that a test can run many times.
Workload prepare_long(size_t count) {
  const VecTest t(count, 3);
  return compare(
      t,
      [a = t.vec(0), b = t.vec(1), c = t.vec(2)](Vec<float>& to) {
        to = (b - (a + 3.75f * c) + c - 0.24f * b) / 27.51f + a - 0.25f * b;
      },
      [=] {
        fill(t.out, [a = t.data(0), b = t.data(1), c = t.data(2)](size_t i) {
          return (b[i] - (a[i] + 3.75f * c[i]) + c[i] - 0.24f * b[i]) / 27.51f + a[i] -
                 0.25f * b[i];
        });
      });
}

Workload prepare_normalise(size_t count) {
  const VecTest t(count, 1);
  Workload workload = compare(
      t, [b = t.vec(0)](Vec<float>& a) { a = b / norm2(b); },
      [=] {
        const double squares = add_up(count, [b = t.data(0)](size_t i) { return b[i] * b[i]; });
        const auto norm = static_cast<float>(std::sqrt(squares));
        fill(t.out, [b = t.data(0), norm](size_t i) { return b[i] / norm; });
      });
  workload.bytes = 3.0 * count * sizeof(float);
  return workload;
}

Probe prepare_assignment() {
  constexpr size_t size = 1024;
  const VecTest t(size, 2);
  auto target = std::make_shared<Vec<float>>(size);
  const int64_t plans = statistics().plans_built;
  return {.before = [] {},
          .run = [=, b = t.vec(0), c = t.vec(1)] { *target = 0.12f * b + 7.54f * c; },
          .check =
              [=](int) {
                if (statistics().plans_built > plans + 1)
                  throw std::runtime_error("the expression was planned more than once");
              }};
}

}  // namespace

Comparison vec_comparison(const std::string& name, const std::string& description,
                          Workload (*prepare)(size_t count)) {
  const Size million{"1e6", true, [=] { return prepare(1'000'000); }};
  const Size fifty{"5e7", false, [=] { return prepare(50'000'000); }};
  const Size large{"2^28", false, [=] { return prepare(size_t{1} << 28); }};
  return {.name = name,
          .description = description,
          .sizes = {million, fifty},
          .gpu_sizes = {million, fifty, large}};
}

Comparison vec_add_benchmark() {
  return vec_comparison("vec_add", "Vec: a = b + c; baseline a threaded loop", prepare_add);
}
Comparison vec_axpby_benchmark() {
  return vec_comparison("vec_axpby", "Vec: a = 0.12 b + 7.54 c; baseline a threaded loop",
                        prepare_axpby);
}
Comparison vec_long_benchmark() {
  return vec_comparison("vec_long",
                        "Vec: a = (b - (a + 3.75 c) + c - 0.24 b) / 27.51 + a - 0.25 b; "
                        "baseline a threaded loop",
                        prepare_long);
}
Comparison vec_normalise_benchmark() {
  return vec_comparison("vec_normalise", "Vec: a = b / norm2(b); baseline two threaded loops",
                        prepare_normalise);
}

Gauge vec_assignment_gauge() {
  return {.name = "overhead_vec",
          .description = "assign an expression of 1024 floats to a Vec; on a GPU, start it",
          .unit = "ns",
          .units_a_second = 1e9,
          .prepare = prepare_assignment};
}

}  // namespace tutti::bench
