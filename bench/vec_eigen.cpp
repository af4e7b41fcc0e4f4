// Vec against Eigen's expression templates: the same lines of code on both sides. Eigen computes
// them on one thread.
#include <Eigen/Core>
#include <memory>

#include "bench/vec.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Mapped = Eigen::Map<Eigen::ArrayXf>;

Mapped mapped(const Buffer<>& buffer) {
  return Mapped(buffer.data(), static_cast<Eigen::Index>(buffer.size()));
}

// One formula for both.
template <class Formula>
Workload compare(const VecTest& test, Formula formula) {
  auto target = std::make_shared<Vec<float>>(test.out.size());
  auto assign = [=] { formula(*target, test.vec(0), test.vec(1), test.vec(2)); };
  return {.tutti = assign,
          .baseline =
              [=] {
                Mapped out = mapped(test.out);
                const Mapped a = mapped(test.inputs[0]), b = mapped(test.inputs[1]),
                             c = mapped(test.inputs[2]);
                formula(out, a, b, c);
              },
          .disagreement =
              [=] {
                assign();
                return disagreement(test.out, target->array());
              },
          .bytes = 4.0 * test.out.size() * sizeof(float),
          .inputs = {test.inputs.begin(), test.inputs.end()},
          .outputs = {test.out}};
}

Workload prepare_axpby(size_t count) {
  Workload workload = compare(VecTest(count, 3), [](auto& to, const auto&, const auto& b,
                                                    const auto& c) { to = 0.12f * b + 7.54f * c; });
  workload.bytes = 3.0 * count * sizeof(float);
  return workload;
}

Workload prepare_long(size_t count) {
  return compare(VecTest(count, 3), [](auto& to, const auto& a, const auto& b, const auto& c) {
    to = (b - (a + 3.75f * c) + c - 0.24f * b) / 27.51f + a - 0.25f * b;
  });
}

}  // namespace

Comparison vec_axpby_eigen_benchmark() {
  return vec_comparison("vec_axpby_eigen", "Vec: a = 0.12 b + 7.54 c; baseline Eigen",
                        prepare_axpby);
}
Comparison vec_long_eigen_benchmark() {
  return vec_comparison("vec_long_eigen",
                        "Vec: a = (b - (a + 3.75 c) + c - 0.24 b) / 27.51 + a - 0.25 b; "
                        "baseline Eigen",
                        prepare_long);
}

}  // namespace tutti::bench
