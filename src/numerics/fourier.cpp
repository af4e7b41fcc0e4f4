#include "numerics/fourier.hpp"

#include "numerics/scalar_apply.hpp"

namespace tutti::ir {

Root root_of_unity(int64_t t, int64_t n) {
  const __int128 eighths = static_cast<__int128>(8) * t;
  const auto octant = static_cast<int64_t>(eighths / n);
  const auto within = static_cast<int64_t>(eighths % n);
  const int64_t from = octant % 2 == 0 ? within : n - within;
  const double angle = static_cast<double>(from) / static_cast<double>(n) * 0.78539816339744830962;
  const double c = apply<double>(Op::cos, angle, 0.0, 0.0);
  const double s = apply<double>(Op::sin, angle, 0.0, 0.0);
  const auto [real, imag] = in_octant(octant, c, s);
  return {real, imag};
}

std::vector<int64_t> radices_of(int64_t n) {
  std::vector<int64_t> result;
  for (const int64_t radix : {7, 5, 3, 4, 2})
    for (; n % radix == 0; n /= radix) result.push_back(radix);
  return n == 1 ? result : std::vector<int64_t>();
}

}  // namespace tutti::ir
