// A step of training a layer of 16 units (Rodinia's backprop): units from inputs, errors, and new
// weights. The weights have a short inner axis.
#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

constexpr int units = 16;

struct Layer {
  Array<1, float> input;      // n
  Array<2, float> weight;     // n x units
  Array<1, float> target;     // units
  Array<2, float> last_step;  // n x units
};

Array<2, float> trained(const Layer& l) {
  const int64_t n = l.input.extent(0);
  const Array<2, float> inputs = broadcast(add_dimension(l.input, 1, 1), Shape<2>(n, units));
  const Array<1, float> hidden = 1.0f / (1.0f + exp(-sum(inputs * l.weight, 0)));
  const Array<1, float> delta = hidden * (1.0f - hidden) * (l.target - hidden);
  return l.weight + 0.3f * inputs * delta + 0.3f * l.last_step;
}

void train(const float* input, const float* weight, const float* target, const float* last,
           float* out, int n) {
  float total[units] = {};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < units; ++k) total[k] += input[i] * weight[i * units + k];
  float delta[units];
  for (int k = 0; k < units; ++k) {
    const float hidden = 1 / (1 + std::exp(-total[k]));
    delta[k] = hidden * (1 - hidden) * (target[k] - hidden);
  }
  parallel_rows(
      n,
      [=](int first, int last_row) {
        for (int i = first; i < last_row; ++i)
#pragma omp simd
          for (int k = 0; k < units; ++k)
            out[i * units + k] =
                weight[i * units + k] + 0.3f * input[i] * delta[k] + 0.3f * last[i * units + k];
      },
      1024);
}

Workload prepare(int n) {
  const auto count = static_cast<size_t>(n);
  const Buffer<> input = random_numbers(count, 0, 1, 1),
                 weight = random_numbers(count * units, -1e-4f, 1e-4f, 2);
  const Buffer<> target = random_numbers(units, 0, 1, 3),
                 last = random_numbers(count * units, 0, 1, 4);
  const Buffer<> result(count * units);
  const Layer layer{in_memory(input, n), in_memory(weight, n, units), in_memory(target, units),
                    in_memory(last, n, units)};
  return workload(
      [=] { return trained(layer); },
      [=] { train(input.data(), weight.data(), target.data(), last.data(), result.data(), n); },
      result, 16.0 * units * n, {input, weight, target, last});
}

}  // namespace

Comparison backprop_benchmark() {
  return {.name = "backprop",
          .description = "a step of training a layer of 16 units (Rodinia)",
          .sizes = {{"2^16", true, [] { return prepare(1 << 16); }},
                    {"2^20", false, [] { return prepare(1 << 20); }}},
          .tolerance = 1e-4,
          .reason = "the baseline adds in another order"};
}

}  // namespace tutti::bench
