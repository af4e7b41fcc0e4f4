// Irregular nested programs from examples/programs, against plain C++: graphs, texts, a puzzle, and
// Barnes and Hut's method. Lines are counted as in nested_programs.cpp.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/nested/nested.hpp"
#include "programs/barnes_hut.hpp"
#include "programs/breadth_first_search.hpp"
#include "programs/connected_components.hpp"
#include "programs/queens.hpp"
#include "programs/string_search.hpp"
#include "support/sample_numbers.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

Workload prepare_search(int vertices) {
  SampleNumbers random(6);
  std::vector<std::vector<int>> neighbours(static_cast<size_t>(vertices));
  for (int edge = 0; edge < 3 * vertices; ++edge) {
    const int a = random.below(vertices), b = random.below(vertices);
    neighbours[static_cast<size_t>(a)].push_back(b);
    neighbours[static_cast<size_t>(b)].push_back(a);
  }
  const Seq<Seq<int>> graph = neighbours;
  return compare_vectors<int>([=] { return programs::breadth_first_search(graph, 0).to_vector(); },
                              [=] {
                                std::vector<int> distance(neighbours.size(), -1), queue{0};
                                distance[0] = 0;
                                for (size_t at = 0; at < queue.size(); ++at)
                                  for (int next : neighbours[static_cast<size_t>(queue[at])])
                                    if (distance[static_cast<size_t>(next)] < 0) {
                                      distance[static_cast<size_t>(next)] =
                                          distance[static_cast<size_t>(queue[at])] + 1;
                                      queue.push_back(next);
                                    }
                                return distance;
                              });
}

Workload prepare_components(int vertices) {
  SampleNumbers random(7);
  const std::vector<int> from = random.ints(vertices, vertices),
                         to = random.ints(vertices, vertices);
  const Seq<int> a = from, b = to;
  return compare_vectors<int>(
      [=] { return programs::connected_components(vertices, a, b).to_vector(); },
      [=] {
        std::vector<int> parent(static_cast<size_t>(vertices));
        std::iota(parent.begin(), parent.end(), 0);
        const auto find = [&](int v) {
          while (parent[static_cast<size_t>(v)] != v) {
            int& up = parent[static_cast<size_t>(v)];
            v = up = parent[static_cast<size_t>(up)];
          }
          return v;
        };
        for (size_t e = 0; e < from.size(); ++e) {
          const int x = find(from[e]), y = find(to[e]);
          parent[static_cast<size_t>(std::max(x, y))] = std::min(x, y);
        }
        for (int v = 0; v < vertices; ++v) parent[static_cast<size_t>(v)] = find(v);
        return parent;
      });
}

Workload prepare_string_search(int letters) {
  SampleNumbers random(8);
  std::string text;
  for (int i = 0; i < letters; ++i) text += static_cast<char>('a' + random.below(4));
  const std::string pattern = "abcabdca";
  const Seq<char> sequence = std::vector<char>(text.begin(), text.end());
  return compare_vectors<int>(
      [=] { return programs::string_search(sequence, pattern).to_vector(); },
      [=] {
        std::vector<int> places;
        for (size_t at = text.find(pattern); at != std::string::npos;
             at = text.find(pattern, at + 1))
          places.push_back(static_cast<int>(at));
        return places;
      });
}

int plain_queens(int taken, int left, int right, int all) {
  if (taken == all) return 1;
  int ways = 0;
  for (int free = all & ~(taken | left | right); free != 0; free &= free - 1) {
    const int queen = free & -free;
    ways += plain_queens(taken | queen, (left | queen) << 1, (right | queen) >> 1, all);
  }
  return ways;
}

Workload prepare_queens(int n) {
  return compare_vectors<int>(
      [=] { return std::vector<int>{programs::queens(n)}; },
      [=] { return std::vector<int>{plain_queens(0, 0, 0, (1 << n) - 1)}; });
}

// The same tree and the same rule as the program's, walked by recursion, bodies on all cores.
class PlainTree {
 public:
  struct Body {
    float x, y, mass;
  };

  PlainTree(std::vector<Body> bodies, int levels, float accuracy)
      : bodies_(std::move(bodies)), accuracy_(accuracy) {
    const float side = static_cast<float>(1 << levels);
    const auto key = [&](const Body& b) {
      uint32_t result = 0;
      for (int bit = levels - 1; bit >= 0; --bit)
        result = result << 2 | ((static_cast<uint32_t>(b.y * side) >> bit & 1) << 1) |
                 (static_cast<uint32_t>(b.x * side) >> bit & 1);
      return result;
    };
    std::stable_sort(bodies_.begin(), bodies_.end(),
                     [&](const Body& a, const Body& b) { return key(a) < key(b); });
    for (const Body& body : bodies_) keys_.push_back(key(body));
    root_ = build(0, bodies_.size(), levels, 1.0f);
  }

  std::vector<float> forces() const {
    std::vector<float> result(2 * bodies_.size());
    parallel_each(static_cast<int>(bodies_.size()), [&](int i) {
      const auto at = static_cast<size_t>(i);
      visit(cells_[static_cast<size_t>(root_)], bodies_[at], &result[2 * at]);
    });
    return result;
  }

 private:
  struct Cell {
    Body centre;
    float size;
    std::vector<int> children;
    size_t first = 0, last = 0;  // bodies, of a leaf
  };

  int build(size_t first, size_t last, int levels, float size) {
    Cell cell{{0, 0, 0}, size, {}, first, last};
    for (size_t i = first; i < last; ++i) {
      cell.centre.x += bodies_[i].x * bodies_[i].mass;
      cell.centre.y += bodies_[i].y * bodies_[i].mass;
      cell.centre.mass += bodies_[i].mass;
    }
    cell.centre.x /= cell.centre.mass;
    cell.centre.y /= cell.centre.mass;
    for (size_t begin = first; levels > 0 && begin < last;) {
      size_t end = begin;
      while (end < last && keys_[end] >> 2 * (levels - 1) == keys_[begin] >> 2 * (levels - 1))
        ++end;
      cell.children.push_back(build(begin, end, levels - 1, size / 2));
      begin = end;
    }
    cells_.push_back(std::move(cell));
    return static_cast<int>(cells_.size()) - 1;
  }

  static void attract(const Body& on, const Body& by, float* force) {
    const float dx = by.x - on.x, dy = by.y - on.y;
    const float r2 = dx * dx + dy * dy + programs::softening;
    const float strength = by.mass / (r2 * std::sqrt(r2));
    force[0] += strength * dx;
    force[1] += strength * dy;
  }

  void visit(const Cell& cell, const Body& on, float* force) const {
    const float dx = cell.centre.x - on.x, dy = cell.centre.y - on.y;
    if (dx * dx + dy * dy > cell.size * cell.size / (accuracy_ * accuracy_)) {
      attract(on, cell.centre, force);
    } else if (cell.children.empty()) {
      for (size_t i = cell.first; i < cell.last; ++i) attract(on, bodies_[i], force);
    } else {
      for (int child : cell.children) visit(cells_[static_cast<size_t>(child)], on, force);
    }
  }

  std::vector<Body> bodies_;
  std::vector<uint32_t> keys_;
  std::vector<Cell> cells_;
  float accuracy_;
  int root_ = 0;
};

Workload prepare_barnes_hut(int count) {
  constexpr float accuracy = 0.5f;
  const int levels = static_cast<int>(std::log2(count) / 2) - 1;  // a few bodies in each cell
  SampleNumbers random(9);
  std::vector<std::tuple<float, float, float>> bodies;
  std::vector<PlainTree::Body> plain;
  for (int i = 0; i < count; ++i) {
    const float x = random.uniform(), y = random.uniform(), mass = 0.5f + random.uniform();
    bodies.emplace_back(x, y, mass);
    plain.push_back({x, y, mass});
  }
  const programs::Bodies sequence = bodies;
  return compare_vectors<float>(
      [=] {
        std::vector<float> result;
        for (const auto& [x, y] :
             programs::barnes_hut(sequence, levels, accuracy).forces.to_vector()) {
          result.push_back(x);
          result.push_back(y);
        }
        return result;
      },
      [=] { return PlainTree(plain, levels, accuracy).forces(); });
}

}  // namespace

Comparison nested_search_benchmark() {
  return {.name = "nested_search",
          .description =
              "breadth first, 6 neighbours a vertex, 15 lines; baseline: a queue on one core",
          .sizes = {counted_size("10^5", true, 100'000, prepare_search),
                    counted_size("10^6", false, 1'000'000, prepare_search)}};
}
Comparison nested_components_benchmark() {
  return {.name = "nested_components",
          .description =
              "connected components, as many edges as vertices, 17 lines; baseline: union and find "
              "on one core",
          .sizes = {counted_size("10^5", true, 100'000, prepare_components),
                    counted_size("10^6", false, 1'000'000, prepare_components)}};
}
Comparison nested_string_search_benchmark() {
  return {.name = "nested_strings",
          .description = "places of a word of 8 letters, 7 lines; baseline: std::string::find",
          .sizes = {counted_size("10^6", true, 1'000'000, prepare_string_search),
                    counted_size("10^7", false, 10'000'000, prepare_string_search)}};
}
Comparison nested_queens_benchmark() {
  return {.name = "nested_queens",
          .description = "the queens puzzle, 15 lines; baseline: recursion on one core",
          .sizes = {counted_size("8", true, 8, prepare_queens),
                    counted_size("12", false, 12, prepare_queens)}};
}
Comparison nested_barnes_hut_benchmark() {
  return {.name = "nested_barnes_hut",
          .description =
              "forces between bodies, one step, 87 lines (NESL 225, CUDA 1930); baseline: the same "
              "tree walked "
              "by recursion, bodies on all cores",
          .sizes = {counted_size("10^4", true, 10'000, prepare_barnes_hut),
                    counted_size("75000", false, 75'000, prepare_barnes_hut)},
          .gpu_sizes = {counted_size("75000", false, 75'000, barnes_hut_on_device),
                        counted_size("10^6", false, 1'000'000, barnes_hut_on_device)},
          .tolerance = 1e-2,
          .reason = "sums in another order; a cell at the limit may count as near on one side"};
}

}  // namespace tutti::bench
