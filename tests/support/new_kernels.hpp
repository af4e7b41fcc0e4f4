// Kernels that no program has had before: the bits of a number choose the operations. The host
// computes the same.
#pragma once
#include <tutti/tutti.hpp>

#include <cstdint>
#include <vector>

namespace tutti::test {

constexpr int kernel_bits = 18;

inline std::vector<int32_t> counting(int64_t n) {
  std::vector<int32_t> result(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) result[static_cast<size_t>(i)] = static_cast<int32_t>(i % 1000);
  return result;
}

// Works for arrays and vectors of int32 alike.
template <class X>
X kernel_of(uint32_t number, const X& a, const X& b) {
  X x = a;
  for (int bit = 0; bit < kernel_bits; ++bit) x = number >> bit & 1 ? X(x * b + a) : X(x + b);
  return x;
}

inline std::vector<int32_t> kernel_on_host(uint32_t number, const std::vector<int32_t>& a,
                                           const std::vector<int32_t>& b) {
  std::vector<int32_t> result(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    const auto u = static_cast<uint32_t>(a[i]), v = static_cast<uint32_t>(b[i]);
    uint32_t x = u;
    for (int bit = 0; bit < kernel_bits; ++bit) x = number >> bit & 1 ? x * v + u : x + v;
    result[i] = static_cast<int32_t>(x);
  }
  return result;
}

}  // namespace tutti::test
