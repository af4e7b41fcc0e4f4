// A graph as a list of steps: it can be built as often as wanted, shrunk (shrink.hpp), and printed
// as C++ that a test can hold. Every step names its inputs by their positions in the list, which
// come before its own.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tutti/tutti.hpp"

namespace tutti::test {

using detail::Extents;
using detail::NodeRef;

struct Step {
  enum class Kind : uint8_t {
    source,            // numbers: extents; elements drawn from `seed`
    offsets,           // numbers: segments, elements; drawn from `seed`
    constant,          // numbers: extents; the value is `fill`
    index,             // numbers: extents; axis
    op,                // op
    cast,              // type
    shift,             // numbers: distances; rule
    section,           // numbers: begin, count, stride for each axis
    replicate,         // numbers: extents
    expand,            // numbers: before, after for each axis; rule
    transpose,         // numbers: axes
    drop_dimension,    // axis
    add_dimension,     // numbers: extent; axis
    reshape,           // numbers: extents
    gather,            // inputs: array, an index for each axis; rule
    reduce,            // numbers: axes; reduction
    inner_product,     // inputs: two arrays
    scan,              // inputs: array[, offsets]; reduction; axis: exclusive
    segmented_reduce,  // inputs: vector, offsets; reduction
    scatter,           // inputs: base, values, an index for each axis; axis: a Collision
    sort,              // inputs: keys, values[, offsets]; axis: descending
    pack,              // inputs: flags, values; numbers: count
    write_section,     // inputs: base, values; numbers: begin, count, stride for each axis
    concat,            // inputs: arrays; axis
    recurrence,        // inputs: elements[, first values]; op; axis; numbers: states, which of them
                       // is the result, backward
    sort_permutation,  // inputs: keys[, offsets]; axis: descending
    element_segments,  // inputs: offsets; numbers: elements
    search,            // inputs: sorted vector, queries; axis: whether behind equal elements
    top_k,             // inputs: keys; numbers: count; axis: descending
    broadcast,         // numbers: extents
    view,              // numbers: extents; axis: the layout; drawn from `seed`
    fold,              // numbers: operator, axes
    user_scan,         // inputs: array[, offsets]; numbers: operator
    user_segments,     // inputs: vector, offsets; numbers: operator; fill: of empty segments
    program,           // inputs: two arrays; axis: the program
    deposit,           // inputs: base, values, indices of their shape; axis: a Collision
    library,           // library_steps.hpp
  };
  Kind kind{};
  std::vector<int> inputs{};
  std::vector<int64_t> numbers{};
  ElementType type{};
  Op op{};
  Reduction reduction{};
  int axis = 0;
  Boundary::Kind rule{};
  double fill = 0;
  uint64_t seed = 0;
};

struct Recipe {
  std::vector<Step> steps;
  std::vector<int> roots;
  // Evaluated by themselves, one after the other, before the roots are.
  std::vector<int> early{};
};

// A number worth meeting: small ones mostly, then the extremes of the type.
ScalarValue test_value(std::mt19937_64& random, ElementType type);

// As the bytes of a host array.
std::vector<std::byte> test_elements(ElementType type, int64_t count, uint64_t seed);

// Throws tutti::Error if the step does not fit its inputs.
NodeRef build_step(const Step& step, const std::vector<NodeRef>& nodes);
std::vector<NodeRef> build_all(const Recipe& recipe);  // a node for each step
std::vector<NodeRef> build(const Recipe& recipe);      // the roots

// The body of a test: a line for each step, then the comparison (tests/random/compare_recipe.hpp).
std::string to_cpp(const Recipe& recipe);

}  // namespace tutti::test
