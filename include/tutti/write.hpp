// Programs that write elements at places which they compute:
//
//   Program count = TUTTI_BEGIN {
//     In<Value1i> grey;
//     Write<1, int> bin;
//     bin(grey, 1);
//   } TUTTI_END;
//   Array<1, int> histogram = scatter(Array<1, int>(256), count(image), Collision::sum);
//
// A Write is a pair of outputs, an index and a value. The values of all elements are scattered, so
// the collision says what becomes of equal indices.
#pragma once
#include "tutti/access.hpp"
#include "tutti/concat.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/program.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// One write of the program being captured, to an array of rank D with elements T. Each element of
// the inputs writes what was given last; nothing, if the program did not come to it. Several writes
// of an element are several objects.
template <int D, class T>
class Write {
 public:
  using Index = Value<D, int32_t>;
  explicit Write(const std::source_location& where = std::source_location::current())
      : index_(Index(-1), where), value_(detail::Variable<T>(), where) {}
  void operator()(const Index& index, const detail::Variable<T>& value) {
    index_ = index;
    value_ = value;
  }

 private:
  Out<Index> index_;
  Out<T> value_;
};

namespace detail {

// Stacks the same component of all writes, so that those of an element are neighbours.
NodeRef writes_of_component(std::span<const NodeRef> nodes, size_t component, size_t of_each,
                            const Location& where);

}  // namespace detail

// Returns `base` with the writes of a program, which has no other outputs. Indices outside of base
// write nothing. Collisions that depend on an order follow the elements of the inputs in row-major
// order, and then the declarations of the writes.
template <int D, class T>
requires(D > 0)
Array<D, canonical_t<T>> scatter(
    const Array<D, T>& base, const Bundle& writes, Collision collision = Collision::any,
    const std::source_location& where = std::source_location::current()) {
  using Index = Value<D, int32_t>;
  constexpr size_t each = D + components<T>;
  const auto types_of_index = detail::component_types<Index>();
  const auto types_of_value = detail::component_types<T>();
  detail::require_writes(writes.program(), {types_of_index, 0}, {types_of_value, 0}, where);
  std::array<detail::NodeRef, D> index;
  for (size_t i = 0; i < D; ++i)
    index[i] = detail::writes_of_component(writes.nodes(), i, each, where);
  return detail::for_each_component<D>(base, [&](const detail::NodeRef& node, int c) {
    const detail::NodeRef values =
        detail::writes_of_component(writes.nodes(), D + static_cast<size_t>(c), each, where);
    return detail::scatter(node, index, values, collision, where);
  });
}

}  // namespace tutti
TUTTI_END_EXPORTS
