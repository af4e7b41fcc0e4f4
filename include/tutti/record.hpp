// record(body, variables...): a body of assignments to vectors and numbers that is recorded once
// and run many times.
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

#include "tutti/detail/export.hpp"
#include "tutti/explain.hpp"
#include "tutti/vec.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

namespace detail {

class RecordedBody;

// A vector or a number from outside that a body reads and assigns to.
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

// A recorded body. It refers to its variables and to everything that the body refers to, like a
// lambda that captures by reference: they must outlive it. Other vectors that the body reads, and
// all host numbers in it, keep the values that they had when it was recorded.
class Recorded {
 public:
  Recorded(detail::LocatedBody body, std::vector<detail::RecordedVariable> variables);

  // Runs the body. Variables may be shared with others or assigned to between runs, but their
  // lengths must not change. While another body is recorded, this one becomes a part of it.
  void operator()(int times = 1) const;

  // Returns the kernels of a run on the current device.
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

// Records a body. The variables are all vectors and numbers from outside that the body assigns to,
// and those that it reads and that change between runs.
template <class... V>
Recorded record(detail::LocatedBody body, V&... variables) {
  static_assert(sizeof...(V) > 0, "record(body, variables...): the body must assign to something");
  static_assert((detail::IsVariable<V> && ...),
                "record(body, variables...): a variable is a Vec or a Number that is not const");
  return Recorded(std::move(body), {Recorded::variable(variables)...});
}

}  // namespace tutti
TUTTI_END_EXPORTS
