// The order of additions in a matrix product, part of the numerical contract: products are added in
// order by fma in chains of this length, which start from zero. The sums of the chains are added in
// order.
#pragma once
#include <cstdint>

namespace tutti::ir {

constexpr int64_t product_chain = 256;

}  // namespace tutti::ir
