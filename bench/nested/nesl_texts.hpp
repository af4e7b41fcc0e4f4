// The programs of the NESL/GPU paper in NESL, as bench/nested/nesl_programs.cpp runs them.
#pragma once

namespace tutti::bench::nesl_texts {

constexpr const char* dot_product = R"(
function dotp(xs, ys) = sum({x * y : x in xs; y in ys});
)";

constexpr const char* quicksort = R"(
function quicksort(a) =
  if #a < 2 then a
  else let
    pivot = a[#a / 2];
    lesser = {e in a | e < pivot};
    equal = {e in a | e == pivot};
    greater = {e in a | e > pivot};
    result = {quicksort(v) : v in [lesser, greater]}
  in result[0] ++ equal ++ result[1];
)";

constexpr const char* black_scholes = R"(
function tail(d) =
  let k = 1.0 / (1.0 + 0.2316419 * d);
      poly = k * (0.31938153 + k * (-0.356563782
             + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  in 0.39894228 * exp(-0.5 * d * d) * poly;
function cumulative_normal(d) =
  let upper = tail(abs(d)) in if d > 0.0 then 1.0 - upper else upper;
function call_price(s, x, years, rate, volatility) =
  let spread = volatility * sqrt(years);
      d = (ln(s / x) + (rate + 0.5 * volatility * volatility) * years) / spread
  in s * cumulative_normal(d) - x * exp(-rate * years) * cumulative_normal(d - spread);
function black_scholes(prices, strikes, years) =
  {call_price(s, x, y, 0.02, 0.3) : s in prices; x in strikes; y in years};
)";

constexpr const char* quickhull = R"(
function area((px, py), (ax, ay), (bx, by)) = (ax - px) * (by - py) - (ay - py) * (bx - px);
function hull_side(points, a, b) =
  let distance = {area(p, a, b) : p in points};
      outside = {p in points; d in distance | d > 0.0}
  in if #outside < 2 then [a] ++ outside
     else let farthest = points[max_index(distance)]
     in flatten({hull_side(outside, from, to) : (from, to) in [(a, farthest), (farthest, b)]});
function quickhull(points) =
  let xs = {x : (x, y) in points};
      left = points[min_index(xs)];
      right = points[max_index(xs)]
  in flatten({hull_side(points, from, to) : (from, to) in [(left, right), (right, left)]});
)";

constexpr const char* barnes_hut = R"(
function spread_bits(v) =
  let v = (v or lshift(v, 8)) and 16711935;
      v = (v or lshift(v, 4)) and 252645135;
      v = (v or lshift(v, 2)) and 858993459
  in (v or lshift(v, 1)) and 1431655765;
function z_order(x, y, levels) =
  let side = float(lshift(1, levels))
  in spread_bits(trunc(x * side)) or lshift(spread_bits(trunc(y * side)), 1);
function centre_of(cell) =
  let total = sum({m : (x, y, m) in cell})
  in (sum({x * m : (x, y, m) in cell}) / total, sum({y * m : (x, y, m) in cell}) / total, total);
% How many cells begin at a body: those that the body before it is not in. %
function count_cells(different, level, levels, count) =
  if level == levels then count
  else let begins = different < 0 or rshift(different, 2 * (levels - level)) /= 0
       in count_cells(different, level + 1, levels, count + btoi(begins));
function first_from(key, k, low, high) =
  if low == high then low
  else let middle = (low + high) / 2
       in if key[middle] < k then first_from(key, k, middle + 1, high)
          else first_from(key, k, low, middle);
% All cells and bodies, each cell before what is inside of it. %
function quadtree(bodies, key, levels, accuracy) =
  let n = #bodies;
      different = {if i == 0 then -1 else k xor key[max(i - 1, 0)] : k in key; i in index(n)};
      cells = {count_cells(d, 0, levels, btoi(d /= 0)) : d in different};
      nodes = flatten({{(i, levels + 1 - count + k) : k in index(count + 1)}
                       : i in index(n); count in cells});
      end = {if level > levels then i + 1
             else let shift = 2 * (levels - level)
                  in first_from(key, lshift(rshift(key[i], shift) + 1, shift), 0, n)
             : (i, level) in nodes};
      centre = {if level > levels then bodies[i] else centre_of(subseq(bodies, i, last))
                : (i, level) in nodes; last in end};
      far = {if level > levels then -1.0
             else let size = 1.0 / (accuracy * float(lshift(1, level))) in size * size
             : (i, level) in nodes};
      offset = plus_scan({c + 1 : c in cells});
      after = {offset[e - 1] + cells[e - 1] + 1 : e in end}
  in (centre, far, after);
% The forces of the cells that are far from a body, and are in no other such cell. %
function walk((x, y), (centre, far, after), node, (fx, fy)) =
  if node == #far then (fx, fy)
  else let (cx, cy, mass) = centre[node];
           dx = cx - x; dy = cy - y;
           r2 = dx * dx + dy * dy
       in if r2 > far[node]
          then let r2 = r2 + 0.000001;
                   strength = mass / (r2 * sqrt(r2))
               in walk((x, y), (centre, far, after), after[node],
                       (fx + strength * dx, fy + strength * dy))
          else walk((x, y), (centre, far, after), node + 1, (fx, fy));
function barnes_hut(unsorted, levels, accuracy) =
  let key = {z_order(x, y, levels) : (x, y, m) in unsorted};
      order = rank(key);
      bodies = permute(unsorted, order);
      tree = quadtree(bodies, permute(key, order), levels, accuracy)
  in {walk((x, y), tree, 0, (0.0, 0.0)) : (x, y, m) in bodies};
)";

}  // namespace tutti::bench::nesl_texts
