// The list of all benchmarks. A new one is a file with a function, and its line here.
#include "bench/registry.hpp"

namespace tutti::bench {

// Accelerator, Table 5.
Comparison sum_benchmark();
Comparison matrix_vector_benchmark();
Comparison matrix_matrix_benchmark();
Comparison life_benchmark();
Comparison demosaic_benchmark();
Comparison convolve_benchmark();
Comparison rotate_benchmark();
Comparison corner_detection_benchmark();
Comparison motion_estimation_benchmark();
Comparison stereo_matching_benchmark();

// CUDA Expression Templates, tests 1 to 3, and two more of that kind.
Comparison vector_add_benchmark();
Comparison vector_axpby_benchmark();
Comparison vector_long_benchmark();
Comparison vector_abs_benchmark();
Comparison black_scholes_benchmark();

// What a small array costs.
Gauge cached_evaluation_gauge();
Gauge node_gauge();
Gauge small_compilation_gauge();
Gauge large_compilation_gauge();
Gauge small_disk_load_gauge();
Gauge large_disk_load_gauge();

std::vector<Comparison> comparisons() {
  return {
      sum_benchmark(),
      matrix_vector_benchmark(),
      matrix_matrix_benchmark(),
      life_benchmark(),
      demosaic_benchmark(),
      convolve_benchmark(),
      rotate_benchmark(),
      corner_detection_benchmark(),
      motion_estimation_benchmark(),
      stereo_matching_benchmark(),
      vector_add_benchmark(),
      vector_axpby_benchmark(),
      vector_long_benchmark(),
      vector_abs_benchmark(),
      black_scholes_benchmark(),
  };
}

std::vector<Gauge> gauges() {
  return {
      cached_evaluation_gauge(), node_gauge(),
      small_compilation_gauge(), large_compilation_gauge(),
      small_disk_load_gauge(),   large_disk_load_gauge(),
  };
}

std::vector<Size> square_sizes(int side, Workload (*prepare)(int side)) {
  std::vector<Size> sizes;
  for (int s : {side, 4 * side}) {
    const std::string name = std::to_string(s) + "x" + std::to_string(s);
    sizes.push_back({name, s == side, [=] { return prepare(s); }});
  }
  return sizes;
}

}  // namespace tutti::bench
