// Components of a random graph, against union and find.
#include "programs/connected_components.hpp"

#include "check.hpp"
#include "support/sample_numbers.hpp"

int main() {
  SampleNumbers random(7);
  const int vertices = 5'000, edges = 4'000;
  const std::vector<int> from = random.ints(edges, vertices), to = random.ints(edges, vertices);
  std::vector<int> parent(vertices);
  for (int i = 0; i < vertices; ++i) parent[static_cast<size_t>(i)] = i;
  const auto find = [&](int v) {
    while (parent[static_cast<size_t>(v)] != v) v = parent[static_cast<size_t>(v)];
    return v;
  };
  for (int e = 0; e < edges; ++e) {
    const int a = find(from[static_cast<size_t>(e)]), b = find(to[static_cast<size_t>(e)]);
    parent[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
  }
  std::vector<int> want;
  for (int i = 0; i < vertices; ++i) want.push_back(find(i));
  CHECK(programs::connected_components(vertices, from, to).to_vector() == want);
  return ok();
}
