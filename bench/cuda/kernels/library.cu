// The library of hand-written CUDA programs: the list of them, and what gpu_compare calls. A new
// one is a function in a .cu file and its line here.
#include <cmath>
#include <cstring>

#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {

Launch absolute_sum(Arrays&);
Launch matrix_vector(Arrays&);
Launch matrix_matrix(Arrays&);
Launch row_sums(Arrays&);
Launch column_sums(Arrays&);
Launch transpose(Arrays&);
Launch life(Arrays&);
Launch demosaic(Arrays&);
Launch convolve(Arrays&);
Launch rotate(Arrays&);
Launch corner_detection(Arrays&);
Launch motion_estimation(Arrays&);
Launch stereo_matching(Arrays&);

Launch mandelbrot(Arrays&);
Launch particles(Arrays&);
Launch flocking(Arrays&);
Launch ray_tracer(Arrays&);
Launch circles(Arrays&);
Launch fft(Arrays&);
Launch quasi_monte_carlo(Arrays&);
Launch matrix_product(Arrays&);

Launch vector_copy(Arrays&);
Launch vector_add(Arrays&);
Launch vector_axpby(Arrays&);
Launch vector_long(Arrays&);
Launch vector_normalise(Arrays&);
Launch vector_exp(Arrays&);
Launch black_scholes(Arrays&);
Launch small_expression(Arrays&);

Launch saxpy(Arrays&);
Launch rmse(Arrays&);
Launch forward_difference(Arrays&);
Launch moving_average(Arrays&);

Launch gradients(Arrays&);
Launch gradients_graph(Arrays&);

Launch cub_scan(Arrays&);
Launch cub_pack(Arrays&);
Launch cub_sort(Arrays&);
Launch cub_sort_pairs(Arrays&);
Launch cub_segmented_sum(Arrays&);
Launch segmented_sum(Arrays&);
Launch sparse_product(Arrays&);

Launch quickhull(Arrays&);
Launch barnes_hut(Arrays&);

Launch thrust_add(Arrays&);
Launch thrust_axpby(Arrays&);
Launch thrust_long(Arrays&);
Launch thrust_normalise(Arrays&);

namespace {

struct Entry {
  const char* name;
  Launch (*prepare)(Arrays&);
};

constexpr Entry entries[] = {
    {"sum", absolute_sum},
    {"nested_quicksort", cub_sort},
    {"nested_quickhull", quickhull},
    {"nested_barnes_hut", barnes_hut},
    {"matrix_vector", matrix_vector},
    {"matrix_matrix", matrix_matrix},
    {"row_sums", row_sums},
    {"column_sums", column_sums},
    {"transpose", transpose},
    {"life", life},
    {"demosaic", demosaic},
    {"convolve", convolve},
    {"rotate", rotate},
    {"corner_detection", corner_detection},
    {"motion_estimation", motion_estimation},
    {"stereo_matching", stereo_matching},
    {"mandelbrot", mandelbrot},
    {"particles", particles},
    {"flocking", flocking},
    {"ray_tracer", ray_tracer},
    {"circles", circles},
    {"fft", fft},
    {"quasi_monte_carlo", quasi_monte_carlo},
    {"matrix_product", matrix_product},
    {"scan", cub_scan},
    {"pack", cub_pack},
    {"sort", cub_sort},
    {"sort_pairs", cub_sort_pairs},
    {"segmented_sum", segmented_sum},
    {"sparse_product", sparse_product},
    {"segmented_sum/cub", cub_segmented_sum},
    {"vector_copy", vector_copy},
    {"vector_add", vector_add},
    {"vector_add/thrust", thrust_add},
    {"vector_axpby", vector_axpby},
    {"vector_axpby/thrust", thrust_axpby},
    {"vector_long", vector_long},
    {"vector_long/thrust", thrust_long},
    {"vector_normalise", vector_normalise},
    {"vector_normalise/thrust", thrust_normalise},
    {"vector_exp", vector_exp},
    {"vec_add", vector_add},
    {"vec_add/thrust", thrust_add},
    {"vec_axpby", vector_axpby},
    {"vec_axpby/thrust", thrust_axpby},
    {"vec_long", vector_long},
    {"vec_long/thrust", thrust_long},
    {"vec_normalise", vector_normalise},
    {"vec_normalise/thrust", thrust_normalise},
    {"vector_abs", absolute_sum},
    {"black_scholes", black_scholes},
    {"saxpy", saxpy},
    {"rmse", rmse},
    {"forward_difference", forward_difference},
    {"moving_average", moving_average},
    {"gradients", gradients},
    {"gradients_recorded", gradients},
    {"gradients_recorded/graph", gradients_graph},
    {"small_expression", small_expression},
};

class Program : public Baseline {
 public:
  Program(const Entry& entry, const Problem& problem)
      : arrays_(problem), launch_(entry.prepare(arrays_)) {}
  void launch() override { launch_(); }
  void wait() override { cudaDeviceSynchronize(); }
  void fetch() override { arrays_.fetch(); }
  const char* error() const override {
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
  }

 private:
  Arrays arrays_;
  Launch launch_;
};

}  // namespace

Arrays::Arrays(const Problem& problem) {
  for (int i = 0; i < problem.input_count; ++i) {
    const HostArray& host = problem.inputs[i];
    input_bytes_.push_back(host.bytes);
    void* device = allocate(host.bytes);
    cudaMemcpy(device, host.data, host.bytes, cudaMemcpyHostToDevice);
    inputs_.push_back(device);
  }
  for (int i = 0; i < problem.output_count; ++i) {
    const HostArray& host = problem.outputs[i];
    outputs_.push_back({allocate(host.bytes), host});
  }
}

Arrays::~Arrays() {
  for (void* memory : memory_) cudaFree(memory);
}

void Arrays::fetch() const {
  for (const Output& output : outputs_)
    cudaMemcpy(output.host.data, output.device, output.host.bytes, cudaMemcpyDeviceToHost);
}

void* Arrays::allocate(size_t bytes) {
  void* memory = nullptr;
  cudaMalloc(&memory, bytes);
  cudaMemset(memory, 0, bytes);
  memory_.push_back(memory);
  return memory;
}

int Arrays::side_of(size_t count) {
  return static_cast<int>(std::lround(std::sqrt(static_cast<double>(count))));
}

}  // namespace tutti::bench::cuda

extern "C" const char* const* tutti_cuda_baseline_names() {
  using namespace tutti::bench::cuda;
  static const std::vector<const char*> names = [] {
    std::vector<const char*> result;
    for (const Entry& entry : entries) result.push_back(entry.name);
    result.push_back(nullptr);
    return result;
  }();
  return names.data();
}

extern "C" tutti::bench::cuda::Baseline* tutti_cuda_make_baseline(
    const char* name, const tutti::bench::cuda::Problem* problem) {
  using namespace tutti::bench::cuda;
  for (const Entry& entry : entries)
    if (std::strcmp(entry.name, name) == 0) return new Program(entry, *problem);
  return nullptr;
}
