// Vec against Eigen's expression templates: the same lines of code on both sides. Eigen computes
// them on one thread.
#include <Eigen/Core>
#include <memory>

#include "bench/vectors/vec.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Mapped = Eigen::Map<Eigen::ArrayXf>;

Mapped mapped(const Buffer<>& buffer) {
  return Mapped(buffer.data(), static_cast<Eigen::Index>(buffer.size()));
}

// The formula gets the target, a, b and c; `bytes` are those of an element, over all of them.
template <class Formula, class EigenFormula>
Workload compare(size_t count, double bytes, Formula formula, EigenFormula eigen) {
  const VecTest test(count, 3);
  auto target = std::make_shared<Vec<float>>(test.out.size());
  auto assign = [=] { formula(*target, test.vec(0), test.vec(1), test.vec(2)); };
  return {.tutti = assign,
          .baseline =
              [=] {
                Mapped out = mapped(test.out);
                const Mapped a = mapped(test.inputs[0]), b = mapped(test.inputs[1]),
                             c = mapped(test.inputs[2]);
                eigen(out, a, b, c);
              },
          .disagreement =
              [=] {
                assign();
                return disagreement(test.out, target->array());
              },
          .bytes = bytes * static_cast<double>(count),
          .inputs = {test.inputs.begin(), test.inputs.end()},
          .outputs = {test.out}};
}

// One formula for both.
template <class Formula>
Workload compare(size_t count, double bytes, Formula formula) {
  return compare(count, bytes, formula, formula);
}

Workload prepare_add(size_t count) {
  return compare(count, 12,
                 [](auto& to, const auto&, const auto& b, const auto& c) { to = b + c; });
}

Workload prepare_axpby(size_t count) {
  return compare(count, 12, [](auto& to, const auto&, const auto& b, const auto& c) {
    to = 0.12f * b + 7.54f * c;
  });
}

Workload prepare_long(size_t count) {
  return compare(count, 16, [](auto& to, const auto& a, const auto& b, const auto& c) {
    to = (b - (a + 3.75f * c) + c - 0.24f * b) / 27.51f + a - 0.25f * b;
  });
}

Workload prepare_normalise(size_t count) {
  return compare(
      count, 12, [](auto& to, const auto&, const auto& b, const auto&) { to = b / norm2(b); },
      [](auto& to, const auto&, const auto& b, const auto&) { to = b / b.matrix().norm(); });
}

}  // namespace

Comparison vec_add_eigen_benchmark() {
  return vec_comparison("vec_add_eigen", "Vec: a = b + c; baseline Eigen", prepare_add);
}
Comparison vec_normalise_eigen_benchmark() {
  Comparison result = vec_comparison("vec_normalise_eigen", "Vec: a = b / norm2(b); baseline Eigen",
                                     prepare_normalise);
  result.tolerance = 1e-3;
  result.reason = "Eigen adds floats one after the other";
  return result;
}
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
