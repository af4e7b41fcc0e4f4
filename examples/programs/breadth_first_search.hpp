// Distances from one vertex of a graph, given by the neighbours of each vertex; -1 where there is
// no way.
#pragma once
#include <tutti/tutti.hpp>

namespace programs {
using namespace tutti;

inline Seq<int> breadth_first_search(const Seq<Seq<int>>& neighbours, int root) {
  Seq<int> frontier = seq(root);
  Seq<int> distance = put(distribute(-1, length(neighbours)), frontier, seq(0));
  Seq<int> finder = distance;
  for (int steps = 1; length(frontier).item() > 0; ++steps) {
    Seq<int> reached = flatten(neighbours[frontier]);
    Seq<int> fresh = filter(reached, distance[reached] < 0);
    // A vertex may have been reached several times: the last one to find it takes it along.
    Seq<int> number = iota(length(fresh));
    finder = put(finder, fresh, number);
    frontier = filter(fresh, finder[fresh] == number);
    distance = put(distance, frontier, distribute(steps, length(frontier)));
  }
  return distance;
}

}  // namespace programs
