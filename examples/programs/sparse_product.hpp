// A sparse matrix (for each row the columns and values of its entries) times a dense vector, which
// all rows share and none copies.
#pragma once
#include <tutti/tutti.hpp>

namespace programs {
using namespace tutti;

inline Seq<float> sparse_product(const Seq<Seq<int>>& columns, const Seq<Seq<float>>& values,
                                 const Seq<float>& v) {
  return each(columns, values,
              [&](Seq<int> column, Seq<float> value) { return sum(value * v[column]); });
}

}  // namespace programs
