// Captured programs whose elements do not meet: a thread for each, running the plain code that the
// C++ baselines run.
#include "bench/cuda/kernels/arrays.cuh"
#include "bench/plain/mandelbrot.hpp"
#include "bench/plain/particles.hpp"
#include "bench/plain/quasi_monte_carlo.hpp"
#include "bench/plain/ray_tracer.hpp"

namespace tutti::bench::cuda {
namespace {

constexpr int threads = 128;

// Neighbouring threads follow neighbouring rays and points: a warp is 4 rows of 8.
struct Pixel {
  int row, column;
};
constexpr int tile_rows = 16, tile_columns = 8;
dim3 tiles_for(int side) {
  return dim3((side + tile_columns - 1) / tile_columns, (side + tile_rows - 1) / tile_rows);
}
__device__ Pixel own_pixel() {
  return {static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y),
          static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x)};
}

__global__ void mandelbrot_kernel(int* out, int side) {
  const Pixel at = own_pixel();
  if (at.row < side && at.column < side)
    out[static_cast<size_t>(at.row) * side + at.column] =
        plain::iterations_at(at.row, at.column, side);
}

__global__ void ray_kernel(plain::Vec3* out, const plain::Sphere* __restrict__ spheres, int count,
                           int side) {
  const Pixel at = own_pixel();
  if (at.row < side && at.column < side)
    out[static_cast<size_t>(at.row) * side + at.column] =
        plain::traced(spheres, count, at.row, at.column, side, side);
}

struct ParticleArrays {
  float* field[5];
};
struct ConstParticleArrays {
  const float* field[5];
};

__global__ void particles_kernel(ParticleArrays out, ConstParticleArrays in, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const plain::Particle p = plain::evolved(
      {in.field[0][i], in.field[1][i], in.field[2][i], in.field[3][i], in.field[4][i]});
  out.field[0][i] = p.vx;
  out.field[1][i] = p.vy;
  out.field[2][i] = p.x;
  out.field[3][i] = p.y;
  out.field[4][i] = p.age;
}

constexpr int samples = 512;

__global__ void normals_kernel(float* normals) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < samples) normals[k] = plain::normal_number(k, samples);
}

__global__ void prices_kernel(float* __restrict__ prices, const float* __restrict__ spot,
                              const float* __restrict__ years, const float* __restrict__ normals,
                              int count) {
  __shared__ float own[samples];
  for (int k = threadIdx.x; k < samples; k += blockDim.x) own[k] = normals[k];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) prices[i] = plain::simulated_price(spot[i], years[i], own, samples);
}

}  // namespace

Launch mandelbrot(Arrays& arrays) {
  const int side = arrays.out_side<int>(0);
  return [=, &arrays] {
    mandelbrot_kernel<<<tiles_for(side), dim3(tile_columns, tile_rows)>>>(arrays.out<int>(0), side);
  };
}

Launch ray_tracer(Arrays& arrays) {
  const int side = arrays.out_side<plain::Vec3>(0);
  const auto count = static_cast<int>(arrays.count<plain::Sphere>());
  return [=, &arrays] {
    ray_kernel<<<tiles_for(side), dim3(tile_columns, tile_rows)>>>(
        arrays.out<plain::Vec3>(0), arrays.in<plain::Sphere>(0), count, side);
  };
}

Launch particles(Arrays& arrays) {
  const size_t count = arrays.count();
  ParticleArrays out;
  ConstParticleArrays in;
  for (int k = 0; k < 5; ++k) {
    out.field[k] = arrays.out(k);
    in.field[k] = arrays.in(k);
  }
  return [=] {
    particles_kernel<<<blocks_for(count, threads), threads>>>(out, in, static_cast<int>(count));
  };
}

Launch quasi_monte_carlo(Arrays& arrays) {
  const size_t count = arrays.count();
  float* normals = arrays.scratch(samples);
  return [=, &arrays] {
    normals_kernel<<<blocks_for(samples, threads), threads>>>(normals);
    prices_kernel<<<blocks_for(count, threads), threads>>>(
        arrays.out(0), arrays.in(0), arrays.in(1), normals, static_cast<int>(count));
  };
}

}  // namespace tutti::bench::cuda
