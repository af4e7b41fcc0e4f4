// Vec<T>: vectors for code that reads like mathematics, with little overhead beyond a launch.
//
//   Vec<float> a(n), b(host_data), c(other_data);
//   a = 0.12f * b + 7.54f * c;
//   a = a / norm2(a);
//
// An assignment computes immediately, in one kernel that belongs to the C++ type of the expression.
// On a GPU it returns once the kernel is launched. Vectors are values: copies cost O(1), and an
// expression keeps its operands alive. Lengths must agree.
#pragma once
#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/detail/expression.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

template <ScalarType T>
class Vec;
class Recorded;

namespace detail {

// The right-hand side of an assignment and its source location.
// (operator= takes no default argument; the conversion to this type does.)
template <class T>
class Assigned {
 public:
  template <IsTerm E>
  Assigned(E&& e, const Location& where = Location::current())
      : expression_(std::addressof(e)),
        assign_(&assign<std::decay_t<E>, !std::is_lvalue_reference_v<E>>),
        where_(where) {}
  void to(BufferRef& target, int64_t& length) const {
    assign_(expression_, target, length, where_);
  }

 private:
  template <class E, bool temporary>
  static void assign(const void* expression, BufferRef& target, int64_t& length,
                     const Location& where) {
    const E& e = *static_cast<const E*>(expression);
    if constexpr (ScalarType<E>) {
      const HostNumber<T> number(static_cast<T>(e));
      assign<HostNumber<T>, true>(&number, target, length, where);
    } else {
      static_assert(std::is_same_v<typename E::scalar, T>,
                    "the element types differ: convert with cast<T>(...)");
      const OperandList<E> list(e);
      kernels_of<E>().assign(list.operands(), temporary, element_type<T>, target, length, where);
    }
  }

  const void* expression_;
  void (*assign_)(const void*, BufferRef&, int64_t&, const Location&);
  Location where_;
};

template <class T>
struct LocatedVec {
  LocatedVec(const Vec<T>& vec, const Location& where = Location::current())
      : vec(vec), where(where) {}
  const Vec<T>& vec;
  Location where;
};

}  // namespace detail

// A vector of T in the memory of a device.
template <ScalarType T = float>
class Vec : public VecExpression<Vec<T>, T, 1> {
 public:
  using element = T;
  using Location = std::source_location;

  Vec() = default;  // without elements
  // Makes a vector of equal elements.
  explicit Vec(detail::Integer auto length, T value = T{},
               const Location& where = Location::current())
      : Vec(Array<1, T>(Shape<1>(length), value, where)) {}
  // Copies host data.
  template <detail::HostRange<T> R>
  explicit Vec(const R& data, const Location& where = Location::current())
      : Vec(Array<1, T>(data, where)) {}
  // Evaluates an array and shares its elements, without a copy.
  explicit Vec(const Array<1, T>& array)
      : buffer_(detail::buffer_of(array.node())), length_(array.size()) {}
  template <detail::IsVector E>
  requires(!std::is_same_v<std::decay_t<E>, Vec>)
  Vec(E&& e, const Location& where = Location::current()) {
    detail::Assigned<T>(std::forward<E>(e), where).to(buffer_, length_);
  }
  // Wraps memory of the current device that the caller owns and that outlives the vector.
  // Assignments write to it, and the owner may change it between two uses. A copy of the vector has
  // elements of its own; a vector that was moved from it wraps the memory.
  static Vec wrap(T* memory, int64_t length) {
    Vec result;
    result.buffer_ = detail::wrapped(memory, static_cast<size_t>(length) * sizeof(T));
    result.length_ = length;
    return result;
  }

  Vec(const Vec& other) : buffer_(other.kept()), length_(other.length_) {}
  Vec(Vec&& other) noexcept
      : buffer_(std::move(other.buffer_)), length_(std::exchange(other.length_, 0)) {}

  // Assigns a vector. The parameter of the first is not a const reference, so that expressions,
  // which would convert to one, select the operator below.
  Vec& operator=(Vec& other) { return take(other, &Vec::kept); }
  template <std::same_as<Vec> V>
  Vec& operator=(const V& other) {
    return take(other, &Vec::kept);
  }
  template <std::same_as<Vec> V>
  Vec& operator=(V&& other) {
    return take(other, &Vec::buffer);
  }
  // Assigns an expression, or one number to all elements.
  Vec& operator=(const detail::Assigned<T>& right) {
    right.to(buffer_, length_);
    return *this;
  }

#define TUTTI_ASSIGN_OPERATOR(op)                                                \
  template <detail::IsTerm X>                                                    \
  requires(!std::is_same_v<std::decay_t<X>, Vec>)                                \
  Vec& operator op## = (X && x) {                                                \
    return *this = detail::Assigned<T>(*this op std::forward<X>(x), Location()); \
  }                                                                              \
  Vec& operator op## = (const detail::LocatedVec<T>& x) {                        \
    return *this = detail::Assigned<T>(*this op x.vec, x.where);                 \
  }
#include "tutti/detail/assign_operators.def"

  int64_t size() const { return length_; }

  // Returns the same elements as an array, without a copy; wrapped memory is copied.
  Array<1, T> array(const Location& where = Location::current()) const {
    return Array<1, T>(
        detail::node_of(kept(), element_type<T>, Shape<1>(length_).extents(), where));
  }

  // Waits for the elements and copies them to the host.
  std::vector<T> to_vector() const {
    if constexpr (std::is_same_v<T, bool>) {
      return array().to_vector();
    } else {
      std::vector<T> result(static_cast<size_t>(length_));
      detail::read(buffer(), result.data());
      return result;
    }
  }

  // Returns the address of the elements for kernels of the current device. A GPU may still be
  // computing them, on stream(). The pointer is valid until the vector is assigned to or destroyed.
  const T* data() const { return static_cast<const T*>(detail::address_for_reading(buffer())); }
  // Returns an address that may also be written to; copies of the vector keep their elements. Call
  // it again after every other use of the vector.
  T* data() {
    if (!buffer_) buffer_ = detail::empty_buffer();
    return static_cast<T*>(detail::address_for_writing(buffer_, element_type<T>, length_));
  }

  static constexpr detail::Counts counts{1, 0, 0};
  template <class List>
  void collect(List& list) const {
    list.add(buffer_, element_type<T>, length_);
  }
  static detail::NodeRef build(detail::ExpressionGraph& graph) { return graph.stored(); }
  // Returns the vector as an operand of an expression, which reads wrapped memory in place.
  Vec operand() const {
    Vec result;
    result.buffer_ = buffer_;
    result.length_ = length_;
    return result;
  }

 private:
  friend class Recorded;
  const detail::BufferRef& buffer() const { return buffer_ ? buffer_ : detail::empty_buffer(); }
  // Returns the elements as they are now: those of wrapped memory are copied.
  detail::BufferRef kept() const {
    return detail::is_wrapped(buffer()) ? detail::copy_of(buffer(), element_type<T>, length_)
                                        : buffer();
  }
  template <class Buffer>
  Vec& take(const Vec& other, Buffer of) {
    if (buffer_ && detail::is_wrapped(buffer_)) return *this = detail::Assigned<T>(other);
    buffer_ = (other.*of)();
    length_ = other.length_;
    return *this;
  }

  detail::BufferRef buffer_;
  int64_t length_ = 0;
};

// One number, computed on the device of the vectors. Expressions use it without a transfer to the
// host; converting it to T waits for it.
template <ScalarType T = float>
class Number : public VecExpression<Number<T>, T, 0> {
 public:
  // Makes a number of a host number, an expression, or an array of rank 0.
  Number(T value = T{}) : buffer_(detail::buffer_of_number(scalar_value(value))) {}
  template <detail::IsNumber E>
  requires(!std::is_same_v<std::decay_t<E>, Number>)
  Number(const E& e) {
    static_assert(std::is_same_v<typename E::scalar, T>,
                  "the types of the numbers differ: convert with cast<T>(...)");
    const detail::OperandList<E> list(e);
    buffer_ = detail::kernels_of<E>().compute(list.operands(), detail::one_number);
  }
  explicit Number(const Array<0, T>& array) : buffer_(detail::buffer_of(array.node())) {}
  explicit Number(detail::BufferRef buffer) : buffer_(std::move(buffer)) {}
  // A number that was moved from keeps its value.
  Number(const Number&) = default;
  Number& operator=(const Number&) = default;

  // item() waits for the number and copies it to the host; array() shares it as an array of rank 0.
  T item() const {
    T result;
    detail::read(buffer_, &result);
    return result;
  }
  operator T() const { return item(); }
  Array<0, T> array(const std::source_location& where = std::source_location::current()) const {
    return Array<0, T>(detail::node_of(buffer_, element_type<T>, {}, where));
  }

  static constexpr detail::Counts counts{1, 0, 0};
  template <class List>
  void collect(List& list) const {
    list.add(buffer_, element_type<T>, detail::one_number);
  }
  static detail::NodeRef build(detail::ExpressionGraph& graph) { return graph.stored(); }

 private:
  friend class Recorded;
  detail::BufferRef buffer_;
};

template <std::ranges::range R>
requires(!detail::IsExpression<R>)
Vec(const R&) -> Vec<std::ranges::range_value_t<R>>;
template <detail::IsVector E>
Vec(E&&) -> Vec<typename std::decay_t<E>::scalar>;
template <class T>
Vec(const Array<1, T>&) -> Vec<T>;

}  // namespace tutti
TUTTI_END_EXPORTS

#include "tutti/vec_functions.hpp"
