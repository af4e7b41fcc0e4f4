// The inner product of two vectors.
#pragma once
#include <tutti/tutti.hpp>

namespace programs {
using namespace tutti;

inline Scalar<float> dot_product(const Seq<float>& a, const Seq<float>& b) { return sum(a * b); }

}  // namespace programs
