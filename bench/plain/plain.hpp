// Baselines that are the same for one element on every device: plain code, read by C++ compilers
// and by nvcc.
#pragma once
#include <cmath>
#include <cstdint>

#ifdef __CUDACC__
#define TUTTI_PLAIN __host__ __device__ inline
#else
#define TUTTI_PLAIN inline
#endif

namespace tutti::bench::plain {

// a * b, rounded: never a part of an fma, which would change what is decided by the last bit.
TUTTI_PLAIN float product(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

struct Vec3 {
  float x, y, z;
};
TUTTI_PLAIN Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
TUTTI_PLAIN Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
TUTTI_PLAIN Vec3 operator*(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
TUTTI_PLAIN Vec3 operator*(Vec3 a, float k) { return {a.x * k, a.y * k, a.z * k}; }
TUTTI_PLAIN float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
TUTTI_PLAIN Vec3 normalize(Vec3 a) { return a * (1.0f / sqrtf(dot(a, a))); }

}  // namespace tutti::bench::plain
