// Numbers of equal parts that cover a length.
#pragma once
#include <cstdint>

namespace tutti {

constexpr int64_t divide_up(int64_t n, int64_t by) { return (n + by - 1) / by; }
constexpr int64_t round_up(int64_t n, int64_t step) { return divide_up(n, step) * step; }

}  // namespace tutti
