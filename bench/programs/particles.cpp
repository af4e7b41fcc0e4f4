// A step of a particle system: as many numbers in as out, and a branch that few particles take.
#include "applications/particles.hpp"
#include "bench/harness/host.hpp"
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "bench/plain/particles.hpp"

namespace tutti::bench {
namespace {

constexpr int numbers = 5;  // of a particle: velocity, position, age

Workload prepare(int64_t count) {
  const auto n = static_cast<size_t>(count);
  std::vector<Buffer<>> in, out;
  const float low[numbers] = {-1.2f, -6, -2, -0.05f, 0}, high[numbers] = {1.2f, 8, 2, 4, 2.005f};
  for (int k = 0; k < numbers; ++k) {
    in.push_back(random_numbers(n, low[k], high[k], static_cast<uint64_t>(k + 1)));
    out.emplace_back(n);
  }
  std::array<Array<1, float>, numbers> start;
  for (int k = 0; k < numbers; ++k) start[k] = Array<1, float>(in[k].data(), Shape<1>(count));
  const Array<1, Value2f> velocity = join(start[0], start[1]), position = join(start[2], start[3]);
  const Array<1, float> age = start[4];
  const Program evolve = applications::Fountain().evolve;
  const auto tutti_side = [=] {
    Array<1, Value2f> v, p;
    Array<1, float> a;
    bundle(v, p, a) = evolve(velocity, position, age);
    evaluate(v, p, a);
    return std::array{v.component(0), v.component(1), p.component(0), p.component(1), a};
  };
  const auto step = [=](int first, int last) {
    for (int i = first; i < last; ++i) {
      const plain::Particle p = plain::evolved({in[0][i], in[1][i], in[2][i], in[3][i], in[4][i]});
      const float now[numbers] = {p.vx, p.vy, p.x, p.y, p.age};
      for (int k = 0; k < numbers; ++k) out[k][i] = now[k];
    }
  };
  return {
      .tutti = [=] { tutti_side(); },
      .baseline = [=] { parallel_rows(static_cast<int>(count), step, 1 << 14); },
      .disagreement =
          [=] {
            const auto got = tutti_side();
            double most = 0;
            for (int k = 0; k < numbers; ++k)
              most = std::max(most, disagreement(out[k], got[static_cast<size_t>(k)]));
            return most;
          },
      .bytes = 2.0 * numbers * sizeof(float) * static_cast<double>(n),
      .inputs = {in.begin(), in.end()},
      .outputs = {out.begin(), out.end()},
  };
}

Size size(std::string name, int64_t count, bool small) {
  return {std::move(name), small, [=] { return prepare(count); }};
}

}  // namespace

Comparison particles_benchmark() {
  return {.name = "particles",
          .description = "a step of a particle system, restarted by a hash under an IF",
          .sizes = {size("100000", 100'000, true), size("2^22", 1 << 22, false)},
          .gpu_sizes = {size("2^25", 1 << 25, false)}};
}

}  // namespace tutti::bench
