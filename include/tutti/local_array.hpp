// LocalArray<T>: an array inside of a program, private to each element that the program runs for,
// with computed indices. All elements are 0 at first. Reading outside of it returns 0, assigning
// there does nothing.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/value_ops.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

int declare_local_array(ElementType type, int64_t size, const Location& where);
NodeRef read_local(int array, const NodeRef& index);
void assign_local(int array, const NodeRef& index, const NodeRef& value);
void trace_value(const std::string& label, const NodeRef& value, const Location& where);

}  // namespace detail

// An array of `size` elements, private to each element that the program runs for.
template <class T>
class LocalArray {
 public:
  using Element = Value<components<T>, scalar_t<T>>;

  explicit LocalArray(int64_t size,
                      const std::source_location& where = std::source_location::current())
      : size_(size) {
    for (int& part : parts_)
      part = detail::declare_local_array(element_type<scalar_t<T>>, size, where);
  }
  int64_t size() const { return size_; }

  // Reads or assigns an element at a computed index.
  Element get(const Value<1, int32_t>& index) const {
    const detail::NodeRef at = index.node(0);
    typename Element::Nodes nodes;
    for (int c = 0; c < components<T>; ++c) nodes[c] = detail::read_local(parts_[c], at);
    return {detail::FromNodes{}, nodes};
  }
  void set(const Value<1, int32_t>& index, const Element& value) {
    const detail::NodeRef at = index.node(0);
    const auto nodes = value.nodes();
    for (int c = 0; c < components<T>; ++c) detail::assign_local(parts_[c], at, nodes[c]);
  }

  // a[i] reads an element as a Value; on the left of an assignment it is assigned to.
  class Place : public detail::ValuePlace<Place, Element> {
   public:
    Place(LocalArray& array, const Value<1, int32_t>& index)
        : detail::ValuePlace<Place, Element>(array.get(index)), array_(array), index_(index) {}
    Place(const Place&) = default;
    Place& operator=(const Element& value) {
      array_.set(index_, value);
      return *this;
    }
    Place& operator=(const Place& other) { return *this = static_cast<const Element&>(other); }

   private:
    LocalArray& array_;
    Value<1, int32_t> index_;
  };
  Element operator[](const Value<1, int32_t>& index) const { return get(index); }
  Place operator[](const Value<1, int32_t>& index) { return {*this, index}; }

 private:
  int64_t size_;
  std::array<int, components<T>> parts_{};
};

// Prints the value on stderr for each element while programs are debugged
// (TUTTI_DEBUG_PROGRAMS=1). Otherwise it costs nothing.
template <detail::IsValue X>
void trace(const std::string& label, const X& x,
           const std::source_location& where = std::source_location::current()) {
  constexpr int N = detail::ValueOf<X>::size;
  for (int c = 0; c < N; ++c)
    detail::trace_value(N == 1 ? label : label + "(" + std::to_string(c) + ")", x.node(c), where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
