// One step of Barnes and Hut's method for the forces between many bodies in the plane: far groups
// of bodies, the cells of a quadtree, act as one. Bodies are sorted along a Z-shaped curve, so that
// a cell of any level is a run of them. The tree is built by sequences, all levels at once, and
// walked by a captured loop, every body on its own.
#pragma once
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

namespace programs {
using namespace tutti;

using Bodies = Seq<std::tuple<float, float, float>>;  // x, y in [0, 1) and mass
using Body = std::tuple<Scalar<float>, Scalar<float>, Scalar<float>>;
using Forces = Seq<std::tuple<float, float>>;
constexpr float softening = 1e-6f;

// The bits of x and y by turns.
inline Scalar<int> z_order(const Scalar<float>& x, const Scalar<float>& y, int levels) {
  const auto spread_bits = [](Scalar<int> v) {
    v = (v | (v << 8)) & 0x00ff00ff;
    v = (v | (v << 4)) & 0x0f0f0f0f;
    v = (v | (v << 2)) & 0x33333333;
    return (v | (v << 1)) & 0x55555555;
  };
  const float side = static_cast<float>(1 << levels);
  return spread_bits(cast<int>(x * side)) | (spread_bits(cast<int>(y * side)) << 1);
}

inline Body centre_of(const Bodies& bodies) {
  Seq<float> mass = unzip<2>(bodies);
  Scalar<float> total = sum(mass);
  return {sum(unzip<0>(bodies) * mass) / total, sum(unzip<1>(bodies) * mass) / total, total};
}

// All cells and bodies, each cell before what is inside of it: the node after a cell is the first
// one inside. A body is a node that is far from everything, so that no body looks inside.
struct Tree {
  Array<1, float> x, y, mass, far;  // far: the square of the distance from which it acts as one
  Array<1, int> after;              // the node after all that is inside
};

// How many cells begin at each of the sorted bodies: those that the body before is not in.
inline Seq<int> cells_beginning(const Seq<int>& key, int levels) {
  Seq<int> i = iota(length(key)), different = key ^ key[max(i - 1, 0)];
  Seq<int> cells = cast<int>(i == 0 || different != 0);
  for (int level = 0; level < levels; ++level)
    cells = cells + cast<int>(i == 0 || (different >> (2 * (levels - level))) != 0);
  return cells;
}

inline Tree quadtree(const Bodies& bodies, const Seq<int>& key, int levels, float accuracy) {
  Seq<int> cells = cells_beginning(key, levels), body = iota(length(key));
  // Of each node its first body and its level; bodies are one level below all cells.
  Seq<std::tuple<int, int>> nodes =
      flatten(each(body, cells, [&](Scalar<int> i, Scalar<int> count) {
        return each(iota(count + 1),
                    [&](Scalar<int> k) { return std::tuple(i, levels + 1 - count + k); });
      }));
  Seq<int> first = unzip<0>(nodes), level = unzip<1>(nodes);
  Seq<int> shift = 2 * max(levels - level, 0);
  Seq<int> cell_end = lower_bound(key, ((key[first] >> shift) + 1) << shift);
  Seq<int> end = each(nodes, cell_end, [&](auto node, Scalar<int> after_cell) {
    return select(std::get<1>(node) > levels, std::get<0>(node) + 1, after_cell);
  });
  Bodies centre = each(nodes, end, [&](auto node, Scalar<int> last) {
    auto [i, at] = node;
    return select(at > levels, bodies[i], centre_of(slice(bodies, i, last - i)));
  });
  Seq<float> far = each(level, [&](Scalar<int> at) {
    Scalar<float> size = 1.0f / (accuracy * cast<float>(1 << at));
    return select(at > levels, Scalar<float>(-1.0f), size * size);
  });
  return {unzip<0>(centre).to_array(), unzip<1>(centre).to_array(), unzip<2>(centre).to_array(),
          far.to_array(), sum_scan(cells + 1)[end - 1].to_array()};
}

// The forces of all nodes on a body that are far from it, and are in no other such node.
inline Forces walk(const Tree& tree, const Bodies& bodies) {
  const Value1i nodes = static_cast<int>(tree.x.size());
  return each(bodies, [&](Value1f x, Value1f y, Value1f) {
    Value1f fx = 0.0f, fy = 0.0f;
    Value1i node = 0;
    WHILE(node < nodes) {
      Value1f dx = tree.x[node] - x, dy = tree.y[node] - y;
      Value1f r2 = dx * dx + dy * dy;
      IF(r2 > tree.far[node]) {
        r2 += softening;
        Value1f strength = tree.mass[node] / (r2 * sqrt(r2));
        fx += strength * dx;
        fy += strength * dy;
        node = tree.after[node];
      }
      ELSE { node += 1; }
      ENDIF;
    }
    ENDWHILE;
    return std::tuple(fx, fy);
  });
}

// The force on each of the bodies, which come back in the order of the curve.
struct Step {
  Bodies bodies;
  Forces forces;
};
inline Step barnes_hut(const Bodies& unsorted, int levels, float accuracy) {
  Seq<int> key = each(
      unsorted, [&](Body body) { return z_order(std::get<0>(body), std::get<1>(body), levels); });
  auto sorted = sort_by(key, zip(key, unsorted));
  Bodies bodies = unzip<1>(sorted);
  return {bodies, walk(quadtree(bodies, unzip<0>(sorted), levels, accuracy), bodies)};
}

}  // namespace programs
