// A colour image turned by 10 degrees: one pixel a thread, four loads of a whole pixel each.
#include <cmath>

#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {
namespace {

struct Turn {
  float cosine, sine;
};

__device__ float4 lerp(float4 a, float4 b, float t) {
  return make_float4(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z),
                     a.w + t * (b.w - a.w));
}

__device__ float4 pixel(const float4* image, int rows, int columns, int y, int x) {
  const bool inside = y >= 0 && y < rows && x >= 0 && x < columns;
  return inside ? image[static_cast<size_t>(y) * columns + x] : make_float4(0, 0, 0, 0);
}

__global__ void rotate_kernel(float4* out, const float4* image, int rows, int columns, Turn turn) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= columns) return;
  const float middle_y = 0.5f * (rows - 1), middle_x = 0.5f * (columns - 1);
  const float y = row - middle_y, x = column - middle_x;
  const float from_y = fmaf(x, -turn.sine, fmaf(y, turn.cosine, middle_y));
  const float from_x = fmaf(x, turn.cosine, fmaf(y, turn.sine, middle_x));

  const float top = floorf(from_y), left = floorf(from_x);
  const int i = static_cast<int>(top), j = static_cast<int>(left);
  auto at = [&](int down, int right) { return pixel(image, rows, columns, i + down, j + right); };
  const float4 above = lerp(at(0, 0), at(0, 1), from_x - left);
  const float4 below = lerp(at(1, 0), at(1, 1), from_x - left);
  out[static_cast<size_t>(row) * columns + column] = lerp(above, below, from_y - top);
}

}  // namespace

Launch rotate(Arrays& arrays) {
  const int side = arrays.side<float4>();
  const double angle = 10 * 3.14159265358979323846 / 180;
  const Turn turn{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  return [=, &arrays] {
    const dim3 block(32, 8), grid(blocks_for(side, 32), blocks_for(side, 8));
    rotate_kernel<<<grid, block>>>(arrays.out<float4>(0), arrays.in<float4>(0), side, side, turn);
  };
}

}  // namespace tutti::bench::cuda
