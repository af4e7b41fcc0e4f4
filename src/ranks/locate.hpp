// Which rank holds an element that index arrays name, and where it lies there. In: the shape and
// layout of the array, an index array for each axis on the host. An index outside of the array is
// brought inside by a boundary rule; under the rule `constant` it names no element.
#pragma once
#include "ranks/layout.hpp"
#include "ranks/split_array.hpp"

namespace tutti::ranks {

class Locator {
 public:
  // `indices` have been computed; they are kept.
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
