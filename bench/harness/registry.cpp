// The list of all benchmarks. A new one is a file with a function, and its line here.
#include "bench/harness/registry.hpp"

#include <utility>

namespace tutti::bench {

// Accelerator, Table 5.
Comparison sum_benchmark();
Comparison matrix_vector_benchmark();
Comparison matrix_matrix_benchmark();
Comparison matrix_solve_benchmark();
Comparison matrix_eigenvalues_benchmark();
Comparison life_benchmark();
Comparison demosaic_benchmark();
Comparison convolve_benchmark();
Comparison recursive_blur_benchmark();
Comparison rotate_benchmark();
Comparison corner_detection_benchmark();
Comparison motion_estimation_benchmark();
Comparison stereo_matching_benchmark();

// RapidMind: captured programs.
Comparison mandelbrot_benchmark();
Comparison particles_benchmark();
Comparison flocking_benchmark();
Comparison ray_tracer_benchmark();
Comparison circles_benchmark();
Comparison fft_benchmark();
Comparison quasi_monte_carlo_benchmark();
Comparison matrix_product_benchmark();
Comparison composition_benchmark();

// One pass over a matrix.
Comparison row_sums_benchmark();
Comparison column_sums_benchmark();
Comparison transpose_benchmark();

// CUDA Expression Templates, tests 1 to 4, and more of that kind.
Comparison vector_copy_benchmark();
Comparison vector_add_benchmark();
Comparison vector_axpby_benchmark();
Comparison vector_long_benchmark();
Comparison vector_normalise_benchmark();
Comparison vector_exp_benchmark();
Comparison vector_abs_benchmark();
Comparison black_scholes_benchmark();

// The same tests as the paper has them: vectors that are assigned to.
Comparison vec_add_benchmark();
Comparison vec_axpby_benchmark();
Comparison vec_long_benchmark();
Comparison vec_normalise_benchmark();
Comparison gradients_benchmark();
Comparison gradients_recorded_benchmark();
#ifdef TUTTI_BENCH_EIGEN
Comparison vec_add_eigen_benchmark();
Comparison vec_axpby_eigen_benchmark();
Comparison vec_long_eigen_benchmark();
Comparison vec_normalise_eigen_benchmark();
#endif

// Barracuda.
Comparison saxpy_benchmark();
Comparison rmse_benchmark();
Comparison forward_difference_benchmark();
Comparison moving_average_benchmark();

// Nested programs: those of the NESL/GPU paper, and irregular ones.
Comparison nested_dot_product_benchmark();
Comparison nested_quicksort_benchmark();
Comparison nested_black_scholes_benchmark();
Comparison nested_quickhull_benchmark();
Comparison nested_barnes_hut_benchmark();
Comparison nested_sparse_product_benchmark();
Comparison nested_search_benchmark();
Comparison nested_components_benchmark();
Comparison nested_string_search_benchmark();
Comparison nested_queens_benchmark();

// nesl_programs.cpp
Comparison nesl_dot_product_benchmark();
Comparison nesl_quicksort_benchmark();
Comparison nesl_black_scholes_benchmark();
Comparison nesl_quickhull_benchmark();
Comparison nesl_barnes_hut_benchmark();
Comparison nesl_sparse_product_benchmark();

// Vector primitives.
Comparison scan_benchmark();
Comparison pack_benchmark();
Comparison sort_benchmark();
Comparison sort_pairs_benchmark();
Comparison segmented_sum_benchmark();
Comparison sparse_product_benchmark();

// Counts and sums by key.
Comparison histogram_benchmark();
Comparison sums_by_key_benchmark();
Comparison nearest_benchmark();
Comparison k_means_benchmark();

// Image pipelines, as Halide's applications have them: bench/pipelines.
Comparison blur16_benchmark();
Comparison unsharp_benchmark();
Comparison harris_benchmark();
Comparison max_filter_benchmark();
Comparison non_local_means_benchmark();
Comparison bilateral_grid_benchmark();
Comparison interpolate_benchmark();
Comparison local_laplacian_benchmark();
Comparison camera_pipe_benchmark();
Comparison stencil_chain_benchmark();
#ifdef TUTTI_BENCH_HALIDE
std::vector<Comparison> halide_benchmarks();  // bench/halide
#endif

// Simulations and Rodinia's programs: bench/simulations.
Comparison heat3d_benchmark();
Comparison wave2d_benchmark();
Comparison hotspot_benchmark();
Comparison hotspot3d_benchmark();
Comparison srad_benchmark();
Comparison pathfinder_benchmark();
Comparison needleman_wunsch_benchmark();
Comparison lu_benchmark();
Comparison pagerank_benchmark();
Comparison search_levels_benchmark();
Comparison particle_boxes_benchmark();
Comparison ten_nearest_benchmark();
Comparison backprop_benchmark();
Comparison lattice_boltzmann_benchmark();
Comparison mesh_fluxes_benchmark();

// What a small array costs.
Comparison small_expression_benchmark();
Gauge cached_evaluation_gauge();
Gauge node_gauge();
Gauge vec_assignment_gauge();
Gauge small_compilation_gauge();
Gauge large_compilation_gauge();
Gauge small_disk_load_gauge();
Gauge large_disk_load_gauge();

std::vector<Comparison> comparisons() {
  std::vector<Comparison> all{
      sum_benchmark(),
      matrix_vector_benchmark(),
      matrix_matrix_benchmark(),
      matrix_solve_benchmark(),
      matrix_eigenvalues_benchmark(),
      life_benchmark(),
      demosaic_benchmark(),
      convolve_benchmark(),
      recursive_blur_benchmark(),
      rotate_benchmark(),
      corner_detection_benchmark(),
      motion_estimation_benchmark(),
      stereo_matching_benchmark(),
      mandelbrot_benchmark(),
      particles_benchmark(),
      flocking_benchmark(),
      ray_tracer_benchmark(),
      circles_benchmark(),
      fft_benchmark(),
      quasi_monte_carlo_benchmark(),
      matrix_product_benchmark(),
      composition_benchmark(),
      row_sums_benchmark(),
      column_sums_benchmark(),
      transpose_benchmark(),
      vector_copy_benchmark(),
      vector_add_benchmark(),
      vector_axpby_benchmark(),
      vector_long_benchmark(),
      vector_normalise_benchmark(),
      vector_exp_benchmark(),
      vector_abs_benchmark(),
      black_scholes_benchmark(),
      vec_add_benchmark(),
      vec_axpby_benchmark(),
      vec_long_benchmark(),
      vec_normalise_benchmark(),
      gradients_benchmark(),
      gradients_recorded_benchmark(),
#ifdef TUTTI_BENCH_EIGEN
      vec_add_eigen_benchmark(),
      vec_axpby_eigen_benchmark(),
      vec_long_eigen_benchmark(),
      vec_normalise_eigen_benchmark(),
#endif
      saxpy_benchmark(),
      rmse_benchmark(),
      forward_difference_benchmark(),
      moving_average_benchmark(),
      nested_dot_product_benchmark(),
      nested_quicksort_benchmark(),
      nested_black_scholes_benchmark(),
      nested_quickhull_benchmark(),
      nested_barnes_hut_benchmark(),
      nested_sparse_product_benchmark(),
      nested_search_benchmark(),
      nested_components_benchmark(),
      nested_string_search_benchmark(),
      nested_queens_benchmark(),
      nesl_dot_product_benchmark(),
      nesl_quicksort_benchmark(),
      nesl_black_scholes_benchmark(),
      nesl_quickhull_benchmark(),
      nesl_barnes_hut_benchmark(),
      nesl_sparse_product_benchmark(),
      scan_benchmark(),
      pack_benchmark(),
      sort_benchmark(),
      sort_pairs_benchmark(),
      segmented_sum_benchmark(),
      sparse_product_benchmark(),
      histogram_benchmark(),
      sums_by_key_benchmark(),
      nearest_benchmark(),
      k_means_benchmark(),
      blur16_benchmark(),
      unsharp_benchmark(),
      harris_benchmark(),
      max_filter_benchmark(),
      non_local_means_benchmark(),
      bilateral_grid_benchmark(),
      interpolate_benchmark(),
      local_laplacian_benchmark(),
      camera_pipe_benchmark(),
      stencil_chain_benchmark(),
      heat3d_benchmark(),
      wave2d_benchmark(),
      hotspot_benchmark(),
      hotspot3d_benchmark(),
      srad_benchmark(),
      pathfinder_benchmark(),
      needleman_wunsch_benchmark(),
      lu_benchmark(),
      pagerank_benchmark(),
      search_levels_benchmark(),
      particle_boxes_benchmark(),
      ten_nearest_benchmark(),
      backprop_benchmark(),
      lattice_boltzmann_benchmark(),
      mesh_fluxes_benchmark(),
      small_expression_benchmark(),
  };
#ifdef TUTTI_BENCH_HALIDE
  for (Comparison& comparison : halide_benchmarks()) all.push_back(std::move(comparison));
#endif
  return all;
}

std::vector<Gauge> gauges() {
  return {
      cached_evaluation_gauge(), node_gauge(),
      vec_assignment_gauge(),    small_compilation_gauge(),
      large_compilation_gauge(), small_disk_load_gauge(),
      large_disk_load_gauge(),
  };
}

Size square_size(int side, Workload (*prepare)(int side)) {
  const std::string name = std::to_string(side) + "x" + std::to_string(side);
  return {name, false, [=] { return prepare(side); }};
}

std::vector<Size> square_sizes(int side, Workload (*prepare)(int side)) {
  std::vector<Size> sizes{square_size(side, prepare), square_size(4 * side, prepare)};
  sizes[0].small = true;
  return sizes;
}

}  // namespace tutti::bench
