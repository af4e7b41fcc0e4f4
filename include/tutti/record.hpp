// record(body, variables...): a body of assignments to vectors and numbers, recorded once and run
// again and again.
//
//   auto step = record([&] {
//     const Vec<double> q = minus_laplace(p);
//     const Number<double> alpha = rr / dot(p, q);
//     ...
//   }, u, r, p, rr);
//   step(100);
//
// Recording computes nothing: it plans the body as a whole, so that what its assignments share is
// fused. Each run gives the variables the values that running the body would give them, bit for
// bit; on a GPU it is one launch of a CUDA graph.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "tutti/detail/export.hpp"
#include "tutti/explain.hpp"
#include "tutti/vec.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

namespace detail {

class RecordedBody;

// A vector or a number of the program that a body reads and assigns to.
struct RecordedVariable {
  BufferRef* buffer;
  int64_t* length;  // null for a number
  ElementType type;
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

// Refers to the variables and to what the body refers to, like a lambda that captures by reference:
// they must outlive it. What the body reads of other vectors, and all numbers of the host in it,
// are those of the time of recording.
class Recorded {
 public:
  Recorded(detail::LocatedBody body, std::vector<detail::RecordedVariable> variables);

  // Variables that others share, or that the program has assigned to, are no obstacle; their
  // lengths may not change. Inside of another body that is being recorded, a part of it.
  void operator()(int times = 1) const;

  // The kernels of a run on the current device.
  Explanation explain() const;

  template <ScalarType T>
  static detail::RecordedVariable variable(Vec<T>& vec) {
    return {&vec.buffer_, &vec.length_, element_type<T>};
  }
  template <ScalarType T>
  static detail::RecordedVariable variable(Number<T>& number) {
    return {&number.buffer_, nullptr, element_type<T>};
  }

 private:
  std::shared_ptr<detail::RecordedBody> body_;
};

namespace detail {
template <class V>
concept IsVariable = requires(V& variable) {
  Recorded::variable(variable);  // a Vec or a Number that is not const
};
}  // namespace detail

// The variables are all vectors and numbers from outside that the body assigns to, and those it
// reads that change between runs.
template <class... V>
Recorded record(detail::LocatedBody body, V&... variables) {
  static_assert(sizeof...(V) > 0, "record(body, variables...): the body must assign to something");
  static_assert((detail::IsVariable<V> && ...),
                "record(body, variables...): a variable is a Vec or a Number that is not const");
  return Recorded(std::move(body), {Recorded::variable(variables)...});
}

}  // namespace tutti
TUTTI_END_EXPORTS
