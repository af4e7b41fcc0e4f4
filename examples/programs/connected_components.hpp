// The connected components of a graph given by its edges: for each vertex the least number of a
// vertex that it is connected with.
#pragma once
#include <tutti/tutti.hpp>

namespace programs {
using namespace tutti;

// Every vertex points to the end of its chain.
inline Seq<int> follow(Seq<int> parent) {
  for (;;) {
    Seq<int> grandparent = parent[parent];
    if (equal(grandparent, parent).item()) return parent;
    parent = grandparent;
  }
}

inline Seq<int> connected_components(int vertices, const Seq<int>& from, const Seq<int>& to) {
  Seq<int> root = iota(vertices);
  for (;;) {
    Seq<int> a = root[from], b = root[to];
    Seq<bool> apart = a != b;
    if (!any(apart).item()) return root;
    // The greater of two roots that an edge joins comes under the lesser.
    root = follow(put(root, filter(max(a, b), apart), filter(min(a, b), apart)));
  }
}

}  // namespace programs
