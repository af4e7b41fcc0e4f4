// Nested data parallelism. Seq<T> is a sequence of numbers, of tuples, or of sequences. each(s, f)
// calls f once on behalf of all elements. Inside, a Scalar<T> represents one number for each of
// them. Calls of each() nest, if_() sends every element to its own branch, and functions may be
// recursive. All instances of a call run together as flat vector operations.
//
//   Seq<float> smxv(Seq<Seq<int>> columns, Seq<Seq<float>> values, Seq<float> v) {
//     return each(columns, values,
//                 [&](Seq<int> column, Seq<float> value) { return sum(value * v[column]); });
//   }
//
// Values of outer calls may be used inside; values of inner calls must be returned. Errors that
// depend on data (an index out of range) are thrown when the next size or result is read.
#pragma once
#include <source_location>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/detail/lift.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// The operand in brackets and its source location.
struct ElementIndex {
  template <Integer I>
  ElementIndex(I i, const Location& where = Location::current())
      : value(nested::constant(scalar_value(static_cast<int64_t>(i)), where)), where(where) {}
  template <Integer I>
  ElementIndex(const Scalar<I>& i, const Location& where = Location::current())
      : value(i.value()), where(where) {}
  nested::Value value;
  Location where;
};
struct ElementIndices {
  template <Integer I>
  ElementIndices(const Seq<I>& indices, const Location& where = Location::current())
      : value(indices.value()), where(where) {}
  nested::Value value;
  Location where;
};

// The second operand of an operator and its source location.
template <class T>
struct LocatedSeq {
  LocatedSeq(const Seq<T>& seq, const Location& where = Location::current())
      : seq(seq), where(where) {}
  const Seq<T>& seq;
  Location where;
};

}  // namespace detail

// One number for each instance of each().
template <class T>
class Scalar {
  static_assert(ScalarType<T>, "a Scalar is a number or bool");

 public:
  using Location = std::source_location;
  // Makes a number of a host number, or of an array of rank 0.
  Scalar() : Scalar(T{}) {}
  Scalar(T value, const Location& where = Location::current())
      : value_(nested::constant(scalar_value(value), where)) {}
  explicit Scalar(const Array<0, T>& array) : value_(nested::from_node(array.node())) {}
  explicit Scalar(nested::Value value) : value_(std::move(value)) {}
  template <ScalarType U>
  requires(!std::is_same_v<T, U>)
  explicit Scalar(const Scalar<U>& other, const Location& where = Location::current())
      : value_(nested::cast(nested::current(), other.value(), element_type<T>, where)) {}

  // Evaluates and returns the number, outside of any each().
  T item(const Location& where = Location::current()) const {
    return detail::Lift<T>::row(nested::to_host(value_, "item", where), 0);
  }
  const nested::Value& value() const { return value_; }

 private:
  nested::Value value_;
};

// A sequence of T for each instance of each().
template <class T>
class Seq {
 public:
  using element = T;
  using host = typename detail::Lift<Seq>::host;
  using Location = std::source_location;

  // Makes an empty sequence, one of nested host vectors, or one of an array.
  Seq() : value_(nested::zero(detail::Lift<Seq>::type())) {}
  Seq(const host& elements, const Location& where = Location::current()) {
    nested::HostData data = detail::no_rows(detail::Lift<Seq>::type());
    detail::Lift<Seq>::add_rows(data, {elements});
    value_ = nested::from_host(std::move(data), where);
  }
  explicit Seq(const Array<1, T>& array)
  requires ScalarType<T>
      : value_(nested::from_node(array.node())) {}
  explicit Seq(nested::Value value) : value_(std::move(value)) {}

  // Evaluates the sequence and copies the elements to the host, outside of any each().
  host to_vector(const Location& where = Location::current()) const {
    const nested::HostData data = nested::to_host(value_, "to_vector", where);
    return detail::Lift<Seq>::row(data, 0);
  }
  host to_nested_vector(const Location& where = Location::current()) const {
    return to_vector(where);
  }
  Array<1, T> to_array(const Location& where = Location::current()) const
  requires ScalarType<T>
  {
    return Array<1, T>(nested::to_node(value_, "to_array", where));
  }

  // Returns one element, counted from 0, or the elements at several indices.
  detail::lifted_t<T> operator[](const detail::ElementIndex& i) const {
    return detail::Lift<T>::make(nested::index(nested::current(), value_, i.value, i.where));
  }
  Seq operator[](const detail::ElementIndices& i) const {
    return Seq(nested::gather(nested::current(), value_, i.value, i.where));
  }

  const nested::Value& value() const { return value_; }

#define TUTTI_BINARY_OPERATOR(symbol, id)                                               \
  friend auto operator symbol(const Seq& a, detail::LocatedSeq<T> b)                    \
  requires detail::IsNested<Seq>                                                        \
  {                                                                                     \
    return detail::apply_nested<Op::id, detail::nested_scalar<Seq>>(b.where, a, b.seq); \
  }
#include "tutti/detail/operators.def"
#undef TUTTI_BINARY_OPERATOR

 private:
  nested::Value value_;
};

}  // namespace tutti
TUTTI_END_EXPORTS

#include "tutti/seq_elementwise.hpp"
#include "tutti/seq_fold.hpp"
#include "tutti/seq_functions.hpp"
