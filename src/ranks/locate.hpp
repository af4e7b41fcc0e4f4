// Finds the rank that holds an element, and the position there. Input: the shape and layout of the
// array, an index array for each axis on the host. A boundary rule maps indices outside of the
// array to elements; under the rule `constant` they denote none.
#pragma once
#include "ranks/layout.hpp"
#include "ranks/split_array.hpp"

namespace tutti::ranks {

class Locator {
 public:
  // Requires that `indices` have been computed, and keeps them.
  Locator(const Extents& shape, const Layout& layout, Boundary::Kind rule,
          std::span<const NodeRef> indices);

  struct Place {
    int owner = -1;        // no element
    int64_t position = 0;  // in the owner's part, in row-major order
  };
  Place operator()(int64_t i) const;

 private:
  struct Indices {
    BufferRef buffer;
    const std::byte* first;
    bool wide;     // int64, not int32
    int64_t step;  // 0: one index for all
  };
  const Extents shape_;
  const Layout layout_;
  const Boundary::Kind rule_;
  std::vector<Indices> indices_;
};

}  // namespace tutti::ranks
