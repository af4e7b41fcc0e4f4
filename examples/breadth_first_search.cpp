// Distances in a random graph, against a queue.
#include "programs/breadth_first_search.hpp"

#include <deque>

#include "check.hpp"
#include "support/sample_numbers.hpp"

int main() {
  SampleNumbers random(6);
  const int vertices = 5'000;
  std::vector<std::vector<int>> neighbours(vertices);
  for (int edge = 0; edge < 6'000; ++edge) {
    const int a = random.below(vertices), b = random.below(vertices);
    neighbours[static_cast<size_t>(a)].push_back(b);
    neighbours[static_cast<size_t>(b)].push_back(a);
  }
  std::vector<int> want(vertices, -1);
  std::deque<int> queue{0};
  want[0] = 0;
  while (!queue.empty()) {
    const int vertex = queue.front();
    queue.pop_front();
    for (int next : neighbours[static_cast<size_t>(vertex)])
      if (want[static_cast<size_t>(next)] < 0) {
        want[static_cast<size_t>(next)] = want[static_cast<size_t>(vertex)] + 1;
        queue.push_back(next);
      }
  }
  CHECK(programs::breadth_first_search(neighbours, 0).to_vector() == want);
  return ok();
}
