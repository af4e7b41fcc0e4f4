// One step of Barnes and Hut's method for the forces between many bodies in the plane: far groups
// of bodies, the cells of a quadtree, act as one. Bodies are sorted along a Z-shaped curve, so that
// a cell of any level is a run of them; a level of the tree is a sequence of such runs.
#pragma once
#include <tutti/tutti.hpp>
#include <vector>

namespace programs {
using namespace tutti;

using Bodies = Seq<std::tuple<float, float, float>>;  // x, y in [0, 1) and mass
using Body = std::tuple<Scalar<float>, Scalar<float>, Scalar<float>>;
using Force = std::tuple<Scalar<float>, Scalar<float>>;
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

// The cells of one level: centre of mass, and where their bodies and their children are.
struct Level {
  Bodies centre;
  Seq<int> first_child, children;
  float size;
};

// The first elements of runs of equal keys.
inline Seq<int> run_starts(const Seq<int>& key) {
  Seq<int> i = iota(length(key));
  return filter(i, i == 0 || key[max(i - 1, 0)] != key);
}
// How long the runs are that start there, of n elements in all.
inline Seq<int> run_lengths(const Seq<int>& starts, const Scalar<int>& n) {
  return concat(drop(starts, 1), seq(n)) - starts;
}

inline Body centre_of(const Bodies& bodies) {
  Seq<float> mass = unzip<2>(bodies);
  Scalar<float> total = sum(mass);
  return {sum(unzip<0>(bodies) * mass) / total, sum(unzip<1>(bodies) * mass) / total, total};
}

// The tree of sorted bodies from the root down; the children of the last level are bodies.
inline std::vector<Level> quadtree(const Bodies& bodies, const Seq<int>& key, int levels) {
  std::vector<Level> tree;
  Seq<int> below = iota(length(bodies));  // where the members of the next level start
  Bodies members = bodies;
  for (int level = levels; level >= 0; --level) {
    Seq<int> member_key = key[below] >> (2 * (levels - level));
    Seq<int> first = run_starts(member_key);
    Seq<int> children = run_lengths(first, length(below));
    members = each(partition(members, children), [](Bodies cell) { return centre_of(cell); });
    tree.insert(tree.begin(), {members, first, children, 1.0f / static_cast<float>(1 << level)});
    below = below[first];
  }
  return tree;
}

// The attraction of a body, or of what acts as one, on a place.
inline Force attraction(const Body& on, const Body& by) {
  const auto& [x, y, mass] = by;
  Scalar<float> dx = x - std::get<0>(on), dy = y - std::get<1>(on);
  Scalar<float> r2 = dx * dx + dy * dy + softening;
  Scalar<float> strength = mass / (r2 * sqrt(r2));
  return {strength * dx, strength * dy};
}
inline Force total_attraction(const Body& on, const Bodies& by) {
  Seq<std::tuple<float, float>> forces = each(by, [&](Body body) { return attraction(on, body); });
  return {sum(unzip<0>(forces)), sum(unzip<1>(forces))};
}

// The force on each of the bodies, which come back in the order of the curve.
struct Step {
  Bodies bodies;
  Seq<std::tuple<float, float>> forces;
};
inline Step barnes_hut(const Bodies& unsorted, int levels, float accuracy) {
  Seq<int> key = each(
      unsorted, [&](Body body) { return z_order(std::get<0>(body), std::get<1>(body), levels); });
  Bodies bodies = sort_by(key, unsorted);
  const std::vector<Level> tree = quadtree(bodies, sort(key), levels);

  Seq<Seq<int>> cells = each(bodies, [](Body) { return seq(0); });  // what each body looks at
  Seq<std::tuple<float, float>> forces = each(bodies, [](Body) { return Force(0.0f, 0.0f); });
  for (const Level& level : tree) {
    const float far2 = level.size * level.size / (accuracy * accuracy);
    Seq<Seq<bool>> far = each(bodies, cells, [&](Body on, Seq<int> looked_at) {
      return each(level.centre[looked_at], [&](Body by) {
        Scalar<float> dx = std::get<0>(by) - std::get<0>(on),
                      dy = std::get<1>(by) - std::get<1>(on);
        return dx * dx + dy * dy > far2;
      });
    });
    forces =
        each(zip(bodies, forces), cells, far, [&](auto body, Seq<int> looked_at, Seq<bool> is_far) {
          auto [on, before] = body;
          auto [fx, fy] = total_attraction(on, level.centre[filter(looked_at, is_far)]);
          return Force(std::get<0>(before) + fx, std::get<1>(before) + fy);
        });
    cells = each(cells, far, [&](Seq<int> looked_at, Seq<bool> is_far) {
      return flatten(each(filter(looked_at, !is_far), [&](Scalar<int> cell) {
        return level.first_child[cell] + iota(level.children[cell]);
      }));
    });
  }
  forces = each(zip(bodies, forces), cells, [&](auto body, Seq<int> near) {
    auto [on, before] = body;
    auto [fx, fy] = total_attraction(on, bodies[near]);
    return Force(std::get<0>(before) + fx, std::get<1>(before) + fy);
  });
  return {bodies, forces};
}

}  // namespace programs
