// record(body, variables...): a body of assignments to vectors, numbers and arrays that is recorded
// once and run many times.
//
//   auto step = record([&] {
//     const Vec<double> q = minus_laplace(p);
//     const Number<double> alpha = rr / dot(p, q);
//     ...
//   }, u, r, p, rr);
//   step(100);
//
// Recording computes nothing. It plans the body as a whole, so that its assignments are fused. Each
// run gives the variables the values that running the body would give them, bit for bit. On a GPU a
// run is one launch of a CUDA graph.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/explain.hpp"
#include "tutti/vec.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

namespace detail {

class RecordedBody;

// A vector, a number or a component of an array from outside that a body reads and assigns to.
struct RecordedVariable {
  ElementType type;
  // Of a vector or a number.
  BufferRef* buffer = nullptr;
  int64_t* length = nullptr;  // null for a number
  // Of an array, whose elements belong to a node.
  const void* array = nullptr;
  int component = 0;
  std::function<const NodeRef&()> node{};
  std::function<void(NodeRef)> assign{};
};

// The body and the source location of its recording.
struct LocatedBody {
  template <std::invocable F>
  LocatedBody(F run, const Location& where = Location::current())
      : run(std::move(run)), where(where) {}
  std::function<void()> run;
  Location where;
};

}  // namespace detail

// A recorded body. It refers to its variables and to everything that the body refers to, like a
// lambda that captures by reference: they must outlive it. Other vectors and arrays that the body
// reads, and all host numbers in it, keep the values that they had when it was recorded.
class Recorded {
 public:
  Recorded(detail::LocatedBody body, std::vector<detail::RecordedVariable> variables);

  // Runs the body. Variables may be shared with others or assigned to between runs, but their
  // lengths and shapes must not change. While another body is recorded, this one becomes a part of
  // it.
  void operator()(int times = 1) const;

  // Returns the kernels of a run on the current device.
  Explanation explain() const;

  // Append a variable, component by component, to those of a body.
  template <ScalarType T>
  static void append(std::vector<detail::RecordedVariable>& variables, Vec<T>& vec) {
    variables.push_back({element_type<T>, &vec.buffer_, &vec.length_});
  }
  template <ScalarType T>
  static void append(std::vector<detail::RecordedVariable>& variables, Number<T>& number) {
    variables.push_back({element_type<T>, &number.buffer_});
  }
  template <int D, class T>
  static void append(std::vector<detail::RecordedVariable>& variables, Array<D, T>& array) {
    for (size_t c = 0; c < array.nodes().size(); ++c)
      variables.push_back(
          {.type = element_type<typename Array<D, T>::scalar>,
           .array = &array,
           .component = static_cast<int>(c),
           .node = [&array, c]() -> const detail::NodeRef& { return array.nodes()[c]; },
           .assign =
               [&array, c](detail::NodeRef node) {
                 auto nodes = array.nodes();
                 nodes[c] = std::move(node);
                 array = Array<D, T>(std::move(nodes));
               }});
  }

 private:
  detail::RecordedBody& body() const;

  std::shared_ptr<detail::RecordedBody> body_;
};

namespace detail {
template <class V>
concept IsVariable = requires(std::vector<RecordedVariable>& variables, V& variable) {
  Recorded::append(variables, variable);  // a Vec, a Number or an Array that is not const
};
}  // namespace detail

// Records a body. The variables are all vectors, numbers and arrays from outside that the body
// assigns to, and those that it reads and that change between runs.
template <class... V>
Recorded record(detail::LocatedBody body, V&... variables) {
  static_assert(sizeof...(V) > 0, "record(body, variables...): the body must assign to something");
  static_assert((detail::IsVariable<V> && ...),
                "record(body, variables...): a variable is a Vec, a Number or an Array that is not "
                "const");
  std::vector<detail::RecordedVariable> list;
  (Recorded::append(list, variables), ...);
  return Recorded(std::move(body), std::move(list));
}

}  // namespace tutti
TUTTI_END_EXPORTS
