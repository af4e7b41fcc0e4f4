// The convex hull of points in the plane. Each side of a growing polygon looks for the point
// farthest out and becomes two sides; all sides do so at once.
#pragma once
#include <tutti/tutti.hpp>

namespace programs {
using namespace tutti;

using Points = Seq<std::tuple<float, float>>;
using Point = std::tuple<Scalar<float>, Scalar<float>>;

// Twice the area of the triangle p, a, b: positive when p lies to the left of the line from a to b.
inline Scalar<float> area(const Point& p, const Point& a, const Point& b) {
  const auto& [px, py] = p;
  const auto& [ax, ay] = a;
  const auto& [bx, by] = b;
  return (ax - px) * (by - py) - (ay - py) * (bx - px);
}

// The hull from a to b, without b, of the points to the left of that line.
inline Points hull_side(const Points& points, const Point& a, const Point& b) {
  Seq<float> distance = each(points, [&](Point p) { return area(p, a, b); });
  Points outside = filter(points, distance > 0.0f);
  return if_(
      length(outside) < 2, [&] { return concat(seq(a), outside); },
      [&] {
        Point farthest = points[max_index(distance)];
        return flatten(each(seq(a, farthest), seq(farthest, b),
                            [&](Point from, Point to) { return hull_side(outside, from, to); }));
      });
}

inline Points quickhull(const Points& points) {
  Point left = points[min_index(unzip<0>(points))], right = points[max_index(unzip<0>(points))];
  return flatten(each(seq(left, right), seq(right, left),
                      [&](Point from, Point to) { return hull_side(points, from, to); }));
}

}  // namespace programs
