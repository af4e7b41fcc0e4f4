// Hand-written CUDA for comparison with bench/cuda/tutti_side.cpp: one line a benchmark, "name
// milliseconds". nvcc -O3 -arch=native handwritten.cu
#include <thrust/iterator/transform_iterator.h>
#include <cub/cub.cuh>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

using Clock = std::chrono::steady_clock;

template <class Launch>
void report(const char* name, Launch launch) {
  for (int i = 0; i < 3; ++i) launch();
  cudaDeviceSynchronize();
  std::vector<double> times;
  for (int round = 0; round < 11; ++round) {
    const auto start = Clock::now();
    for (int i = 0; i < 10; ++i) launch();
    cudaDeviceSynchronize();
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count() / 10);
  }
  std::sort(times.begin(), times.end());
  std::printf("%-18s %9.4f\n", name, times[times.size() / 2]);
  std::fflush(stdout);
}

// float4 a thread, as a careful person writes element-wise kernels.
template <class F>
__global__ void map4(float4* out, const float4* a, const float4* b, const float4* c, int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 x = a[i], y = b[i], z = c[i];
  out[i] = make_float4(f(x.x, y.x, z.x), f(x.y, y.y, z.y), f(x.z, y.z, z.z), f(x.w, y.w, z.w));
}

struct Absolute {
  __device__ float operator()(float x) const { return fabsf(x); }
};

__global__ void life(float* out, const float* in, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const int l = x ? x - 1 : n - 1, r = x + 1 < n ? x + 1 : 0;
  const float* above = in + static_cast<size_t>(y ? y - 1 : n - 1) * n;
  const float* here = in + static_cast<size_t>(y) * n;
  const float* below = in + static_cast<size_t>(y + 1 < n ? y + 1 : 0) * n;
  const float nine =
      above[l] + above[x] + above[r] + here[l] + here[x] + here[r] + below[l] + below[x] + below[r];
  out[static_cast<size_t>(y) * n + x] =
      nine == 3.0f || (nine == 4.0f && here[x] == 1.0f) ? 1.0f : 0.0f;
}

// Both passes of the separable filter in one kernel, through a tile in shared memory.
__global__ void convolve(float* out, const float* in, int n) {
  constexpr int w = 32, h = 16;
  const float k[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
  __shared__ float tile[h + 4][w + 4], across[h + 4][w];
  const int x0 = blockIdx.x * w, y0 = blockIdx.y * h;
  for (int i = threadIdx.y * w + threadIdx.x; i < (h + 4) * (w + 4); i += w * blockDim.y) {
    const int x = min(max(x0 + i % (w + 4) - 2, 0), n - 1),
              y = min(max(y0 + i / (w + 4) - 2, 0), n - 1);
    tile[i / (w + 4)][i % (w + 4)] = in[static_cast<size_t>(y) * n + x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < h + 4; y += blockDim.y) {
    float s = 0;
    for (int i = 0; i < 5; ++i) s += tile[y][threadIdx.x + i] * k[i];
    across[y][threadIdx.x] = s;
  }
  __syncthreads();
  for (int y = threadIdx.y; y < h; y += blockDim.y) {
    float s = 0;
    for (int i = 0; i < 5; ++i) s += across[y + i][threadIdx.x] * k[i];
    if (x0 + threadIdx.x < n && y0 + y < n)
      out[static_cast<size_t>(y0 + y) * n + x0 + threadIdx.x] = s;
  }
}

int main() {
  constexpr size_t n = size_t{1} << 28;
  float *a, *b, *c, *d;
  for (float** p : {&a, &b, &c, &d}) cudaMalloc(p, n * sizeof(float));
  for (float* p : {a, b, c, d}) cudaMemset(p, 0, n * sizeof(float));
  const int count = n / 4, blocks = count / 256;
  const auto f4 = [](float* p) { return reinterpret_cast<float4*>(p); };
  report("copy", [&] { cudaMemcpyAsync(d, b, n * sizeof(float), cudaMemcpyDeviceToDevice); });
  report("add", [&] {
    map4<<<blocks, 256>>>(f4(d), f4(b), f4(c), f4(c), count,
                          [] __device__(float x, float y, float) { return x + y; });
  });
  report("axpby", [&] {
    map4<<<blocks, 256>>>(f4(d), f4(b), f4(c), f4(c), count,
                          [] __device__(float x, float y, float) { return 0.12f * x + 7.54f * y; });
  });
  report("long", [&] {
    map4<<<blocks, 256>>>(f4(d), f4(a), f4(b), f4(c), count,
                          [] __device__(float x, float y, float z) {
                            return (y - (x + 3.75f * z) + z - 0.24f * y) / 27.51f + x - 0.25f * y;
                          });
  });
  void* temporary = nullptr;
  size_t bytes = 0;
  const auto absolute = thrust::make_transform_iterator(b, Absolute());
  cub::DeviceReduce::Sum(temporary, bytes, absolute, d, static_cast<int>(n));
  cudaMalloc(&temporary, bytes);
  report("sum_abs",
         [&] { cub::DeviceReduce::Sum(temporary, bytes, absolute, d, static_cast<int>(n)); });
  report("exp", [&] {
    map4<<<blocks, 256>>>(f4(d), f4(b), f4(b), f4(b), count,
                          [] __device__(float x, float, float) { return expf(x); });
  });
  const int side = 16384;
  report("life", [&] { life<<<dim3(side / 64, side / 4), dim3(64, 4)>>>(d, b, side); });
  report("convolve", [&] { convolve<<<dim3(side / 32, side / 16), dim3(32, 8)>>>(d, b, side); });
  report("raw_launch_x1000", [&] {
    for (int i = 0; i < 1000; ++i)
      map4<<<1, 256>>>(f4(d), f4(b), f4(c), f4(c), 256,
                       [] __device__(float x, float y, float) { return x + y; });
  });
  std::printf("# %s\n", cudaGetErrorString(cudaGetLastError()));
}
