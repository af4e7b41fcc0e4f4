// In how many ways n queens stand on a board of n x n without one attacking another. A position is
// which columns and diagonals are taken in the next row; every position grows into those after it.
#pragma once
#include <tutti/tutti.hpp>

namespace programs {
using namespace tutti;

using Position = std::tuple<Scalar<int>, Scalar<int>, Scalar<int>>;

inline int queens(int n) {
  Seq<std::tuple<int, int, int>> positions = seq(Position(0, 0, 0));
  Seq<int> columns = Scalar<int>(1) << iota(n);
  for (int row = 0; row < n; ++row)
    positions = flatten(each(positions, [&](Position position) {
      auto [taken, left, right] = position;
      Seq<int> free = filter(columns, ((taken | left | right) & columns) == 0);
      return each(free, [&](Scalar<int> queen) {
        return Position(taken | queen, (left | queen) << 1, (right | queen) >> 1);
      });
    }));
  return length(positions).item();
}

}  // namespace programs
