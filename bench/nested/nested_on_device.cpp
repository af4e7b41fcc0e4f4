// The nested programs that hand-written CUDA is compared with: data and results stay on the device.
#include <cmath>

#include "bench/nested/nested.hpp"
#include "programs/barnes_hut.hpp"
#include "programs/quickhull.hpp"
#include "programs/quicksort.hpp"
#include "support/sample_numbers.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

template <class T>
Seq<T> on_device(const Buffer<T>& host) {
  const Array<1, T> array(host, static_cast<int64_t>(host.size()));
  array.evaluate();
  return Seq<T>(array);
}

}  // namespace

Workload quicksort_on_device(int count) {
  const Buffer<int> numbers(static_cast<size_t>(count)), result(static_cast<size_t>(count));
  SampleNumbers random(2);
  for (int& x : numbers) x = random.below(1 << 30);
  const Seq<int> sequence = on_device(numbers);
  const auto sorted = [=] { return programs::quicksort(sequence).to_array(); };
  return {.tutti = [=] { sorted().evaluate(); },
          .baseline = {},
          .disagreement = [=] { return disagreement(result, sorted()); },
          .inputs = {numbers},
          .outputs = {result}};
}

// The result is how many corners there are, and the sums of their absolute coordinates.
Workload quickhull_on_device(int count) {
  const auto size = static_cast<size_t>(count);
  const Buffer<> x(size), y(size), result(3);
  SampleNumbers random(4);
  for (size_t i = 0; i < size;) {
    x[i] = 2 * random.uniform() - 1;
    y[i] = 2 * random.uniform() - 1;
    if (x[i] * x[i] + y[i] * y[i] <= 1) ++i;
  }
  const programs::Points points = zip(on_device(x), on_device(y));
  const auto hull = [=] {
    const programs::Points corners = programs::quickhull(points);
    return seq(cast<float>(length(corners)), sum(abs(unzip<0>(corners))),
               sum(abs(unzip<1>(corners))))
        .to_vector();
  };
  return {.tutti = [=] { hull(); },
          .baseline = {},
          .disagreement =
              [=] {
                const std::vector<float> got = hull();
                return disagreement(std::span<const float>(result.data(), 3),
                                    std::span<const float>(got));
              },
          .inputs = {x, y},
          .outputs = {result}};
}

Workload barnes_hut_on_device(int count) {
  constexpr float accuracy = 0.5f;
  const auto size = static_cast<size_t>(count);
  const Buffer<> x(size), y(size), mass(size), result(2 * size);
  const Buffer<int> levels(1);
  levels[0] = static_cast<int>(std::log2(count) / 2) - 1;  // a few bodies in each cell
  SampleNumbers random(9);
  for (size_t i = 0; i < size; ++i) {
    x[i] = random.uniform();
    y[i] = random.uniform();
    mass[i] = 0.5f + random.uniform();
  }
  const programs::Bodies bodies = zip(on_device(x), on_device(y), on_device(mass));
  const auto forces = [=] { return programs::barnes_hut(bodies, levels[0], accuracy).forces; };
  return {.tutti =
              [=] {
                const auto all = forces();
                unzip<0>(all).to_array().evaluate();
                unzip<1>(all).to_array().evaluate();
              },
          .baseline = {},
          .disagreement =
              [=] {
                std::vector<float> got;
                for (const auto& [fx, fy] : forces().to_vector()) got.insert(got.end(), {fx, fy});
                return disagreement(std::span<const float>(result.data(), result.size()),
                                    std::span<const float>(got));
              },
          .inputs = {x, y, mass, levels},
          .outputs = {result}};
}

}  // namespace tutti::bench
