// The convex hull of points in a disc, against Andrew's monotone chain.
#include "programs/quickhull.hpp"

#include <algorithm>

#include "check.hpp"
#include "support/sample_numbers.hpp"

using HostPoint = std::tuple<float, float>;

namespace {

std::vector<HostPoint> monotone_chain(std::vector<HostPoint> points) {
  std::sort(points.begin(), points.end());
  std::vector<HostPoint> hull;
  const auto turns_left = [](HostPoint a, HostPoint b, HostPoint c) {
    return (double(std::get<0>(b)) - std::get<0>(a)) * (double(std::get<1>(c)) - std::get<1>(a)) -
               (double(std::get<1>(b)) - std::get<1>(a)) *
                   (double(std::get<0>(c)) - std::get<0>(a)) >
           0;
  };
  for (int pass = 0; pass < 2; ++pass) {
    const size_t before = hull.size();
    for (const HostPoint& p : points) {
      while (hull.size() >= before + 2 && !turns_left(hull[hull.size() - 2], hull.back(), p))
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  std::sort(hull.begin(), hull.end());
  return hull;
}

}  // namespace

int main() {
  SampleNumbers random(4);
  std::vector<HostPoint> points;
  while (points.size() < 5'000) {
    // On a grid: areas are exact, and so is the hull.
    const int x = random.below(2001) - 1000, y = random.below(2001) - 1000;
    if (x * x + y * y <= 1'000'000)
      points.emplace_back(static_cast<float>(x), static_cast<float>(y));
  }
  std::vector<HostPoint> hull = programs::quickhull(points).to_vector();
  std::sort(hull.begin(), hull.end());
  hull.erase(std::unique(hull.begin(), hull.end()), hull.end());
  CHECK(hull == monotone_chain(points));
  return ok();
}
