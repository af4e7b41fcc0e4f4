// The programs of the NESL/GPU paper in NESL, as bench/nesl_programs.cpp runs them.
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
function attraction((x, y, m), (bx, by, bm)) =
  let dx = bx - x; dy = by - y;
      r2 = dx * dx + dy * dy + 0.000001;
      strength = bm / (r2 * sqrt(r2))
  in (strength * dx, strength * dy);
function attracted(on, (fx, fy), others) =
  let pulls = {attraction(on, other) : other in others}
  in (fx + sum({x : (x, y) in pulls}), fy + sum({y : (x, y) in pulls}));
function is_far((x, y, m), (bx, by, bm), limit) =
  let dx = bx - x; dy = by - y in dx * dx + dy * dy > limit;
% What bodies still look at after a level of the tree, and the forces so far. %
function descend(bodies, key, members, below, level, levels, accuracy) =
  let member_key = {rshift(k, 2 * (levels - level)) : k in key -> below};
      begins = {i == 0 or k /= member_key[max(i - 1, 0)] : k in member_key; i in index(#below)};
      first_child = pack_index(begins);
      children = {after - start : start in first_child; after in drop(first_child, 1) ++ [#below]};
      centre = {centre_of(cell) : cell in partition(members, children)};
      (cells, forces) =
        if level == 0 then ({[0] : b in bodies}, {(0.0, 0.0) : b in bodies})
        else descend(bodies, key, centre, below -> first_child, level - 1, levels, accuracy);
      size = 1.0 / float(lshift(1, level));
      limit = size * size / (accuracy * accuracy);
      far = {{is_far(b, other, limit) : other in centre -> looked} : b in bodies; looked in cells};
      forces = {attracted(b, before, centre -> {c in looked; g in flags | g})
                : b in bodies; before in forces; looked in cells; flags in far};
      cells = {let near = {c in looked; g in flags | not(g)}
               in flatten({[first_child[c]:first_child[c] + children[c]] : c in near})
               : looked in cells; flags in far}
  in (cells, forces);
function barnes_hut(unsorted, levels, accuracy) =
  let key = {z_order(x, y, levels) : (x, y, m) in unsorted};
      order = rank(key);
      bodies = permute(unsorted, order);
      sorted = permute(key, order);
      (near, forces) =
        descend(bodies, sorted, bodies, index(#bodies), levels, levels, accuracy)
  in {attracted(b, before, bodies -> others) : b in bodies; before in forces; others in near};
)";

}  // namespace tutti::bench::nesl_texts
