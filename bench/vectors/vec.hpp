// What the benchmarks of Vec share.
#pragma once
#include <vector>

#include "bench/harness/host.hpp"
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "tutti/vec.hpp"

namespace tutti::bench {

// The operands of a test on both sides, and room for the result of the baseline.
struct VecTest {
  VecTest(size_t count, int operands) : out(count) {
    for (int i = 0; i < operands; ++i) {
      inputs.push_back(random_numbers(count, -1, 1, static_cast<uint64_t>(i + 1)));
      vectors.emplace_back(inputs.back());
    }
  }
  const Vec<float>& vec(size_t i) const { return vectors[i]; }
  const float* data(size_t i) const { return inputs[i].data(); }

  Buffer<> out;
  std::vector<Buffer<>> inputs;
  std::vector<Vec<float>> vectors;
};

// A test at the sizes of the paper.
Comparison vec_comparison(const std::string& name, const std::string& description,
                          Workload (*prepare)(size_t count));

}  // namespace tutti::bench
