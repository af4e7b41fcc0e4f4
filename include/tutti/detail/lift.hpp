// The correspondence between C++ element types and types of lifted values, and conversions of host
// data to lifted values and back.
//
//   an element of          in the body of each()      on the host
//   int, float, ...        Scalar<int>                int
//   std::tuple<A, B>       std::tuple of those        std::tuple<A, B>
//   Seq<A>                 Seq<A>                     std::vector of those
#pragma once
#include <cstring>
#include <tuple>
#include <vector>

#include "tutti/detail/apply.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/detail/nested.hpp"
#include "tutti/detail/require_int32.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

template <class T>
class Scalar;
template <class T>
class Seq;

namespace detail {

// One element type T: its lifted and host types, its description, and the three conversions.
template <class T>
struct Lift;

template <ScalarType T>
struct Lift<T> {
  using lifted = Scalar<T>;
  using host = T;
  static nested::Type type() { return {nested::Kind::scalar, element_type<T>, {}}; }
  static nested::Value value(const lifted& x) { return x.value(); }
  static lifted make(nested::Value value) { return lifted(std::move(value)); }

  static void add_rows(nested::HostData& data, const std::vector<T>& rows) {
    const size_t before = data.numbers.size();
    data.numbers.resize(before + rows.size() * sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {  // std::vector<bool> packs bits
      for (size_t i = 0; i < rows.size(); ++i)
        data.numbers[before + i] = static_cast<std::byte>(rows[i] ? 1 : 0);
    } else if (!rows.empty()) {
      std::memcpy(data.numbers.data() + before, rows.data(), rows.size() * sizeof(T));
    }
    data.rows += static_cast<int64_t>(rows.size());
  }
  static T row(const nested::HostData& data, int64_t i) {
    if constexpr (std::is_same_v<T, bool>) {
      return data.numbers[static_cast<size_t>(i)] != std::byte{0};
    } else {
      T number;
      std::memcpy(&number, data.numbers.data() + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
      return number;
    }
  }
};

template <class... T>
struct Lift<std::tuple<T...>> {
  using lifted = std::tuple<typename Lift<T>::lifted...>;
  using host = std::tuple<typename Lift<T>::host...>;
  using Parts = std::index_sequence_for<T...>;

  static nested::Type type() {
    return {nested::Kind::tuple, ElementType::i32, {Lift<T>::type()...}};
  }
  static nested::Value value(const lifted& x) {
    return std::apply(
        [](const auto&... part) {
          const nested::Value parts[] = {Lift<T>::value(part)...};
          return nested::tuple(nested::current(), parts);
        },
        x);
  }
  static lifted make(const nested::Value& value) { return make(value, Parts{}); }

  static void add_rows(nested::HostData& data, const std::vector<host>& rows) {
    add_parts(data, rows, Parts{});
    data.rows += static_cast<int64_t>(rows.size());
  }
  static host row(const nested::HostData& data, int64_t i) { return row(data, i, Parts{}); }

 private:
  template <size_t... I>
  static lifted make(const nested::Value& value, std::index_sequence<I...>) {
    return lifted(Lift<T>::make(nested::part(value, static_cast<int>(I)))...);
  }
  template <size_t... I>
  static void add_parts(nested::HostData& data, const std::vector<host>& rows,
                        std::index_sequence<I...>) {
    (add_part<I, T>(data, rows), ...);
  }
  template <size_t I, class P>
  static void add_part(nested::HostData& data, const std::vector<host>& rows) {
    std::vector<typename Lift<P>::host> part;
    part.reserve(rows.size());
    for (const host& row : rows) part.push_back(std::get<I>(row));
    Lift<P>::add_rows(data.parts[I], part);
  }
  template <size_t... I>
  static host row(const nested::HostData& data, int64_t i, std::index_sequence<I...>) {
    return host(Lift<T>::row(data.parts[I], i)...);
  }
};

template <class T>
struct Lift<Seq<T>> {
  using lifted = Seq<T>;
  using host = std::vector<typename Lift<T>::host>;
  static nested::Type type() {
    return {nested::Kind::sequence, ElementType::i32, {Lift<T>::type()}};
  }
  static nested::Value value(const lifted& x) { return x.value(); }
  static lifted make(nested::Value value) { return lifted(std::move(value)); }

  static void add_rows(nested::HostData& data, const std::vector<host>& rows) {
    for (const host& row : rows) {
      Lift<T>::add_rows(data.parts[0], row);
      data.offsets.push_back(require_int32(data.parts[0].rows, "a sequence: its elements in all",
                                           "make several sequences", Location()));
    }
    data.rows += static_cast<int64_t>(rows.size());
  }
  static host row(const nested::HostData& data, int64_t i) {
    const int32_t begin = data.offsets[static_cast<size_t>(i)],
                  end = data.offsets[static_cast<size_t>(i) + 1];
    host result;
    result.reserve(static_cast<size_t>(end - begin));
    for (int32_t k = begin; k < end; ++k) result.push_back(Lift<T>::row(data.parts[0], k));
    return result;
  }
};

// Makes data of a type without rows.
inline nested::HostData no_rows(const nested::Type& type) {
  nested::HostData data;
  data.type = type;
  if (type.kind == nested::Kind::sequence) data.offsets.push_back(0);
  for (const nested::Type& part : type.parts) data.parts.push_back(no_rows(part));
  return data;
}

// The element type of a lifted value or a plain number.
template <class L>
struct Lowered;
template <ScalarType T>
struct Lowered<T> {
  using type = T;
};
template <class T>
struct Lowered<Scalar<T>> {
  using type = T;
};
template <class T>
struct Lowered<Seq<T>> {
  using type = Seq<T>;
};
template <class... L>
struct Lowered<std::tuple<L...>> {
  using type = std::tuple<typename Lowered<L>::type...>;
};
template <class L>
using lowered_t = typename Lowered<std::remove_cvref_t<L>>::type;
template <class T>
using lifted_t = typename Lift<T>::lifted;

// Converts the result of a body, which may be a plain number or a tuple of them, to a value.
template <class L>
nested::Value value_of(const L& lifted) {
  return Lift<lowered_t<L>>::value(lifted_t<lowered_t<L>>(lifted));
}

// Operands of element-wise operations: numbers and nested sequences of numbers.
template <class X>
struct NestedTraits {};
template <class T>
struct NestedTraits<Scalar<T>> {
  using scalar = T;
  static constexpr int depth = 0;
};
template <ScalarType T>
struct NestedTraits<Seq<T>> {
  using scalar = T;
  static constexpr int depth = 1;
};
template <class T>
struct NestedTraits<Seq<Seq<T>>> {
  using scalar = typename NestedTraits<Seq<T>>::scalar;
  static constexpr int depth = NestedTraits<Seq<T>>::depth + 1;
};

template <class X>
concept IsNested = requires { typename NestedTraits<X>::scalar; };
template <class X>
concept IsNestedOperand = IsNested<X> || ScalarType<X>;

template <class X>
struct NestedOperandOf : NestedTraits<X> {};
template <ScalarType X>
struct NestedOperandOf<X> {
  using scalar = X;
  static constexpr int depth = 0;
};
template <class X>
constexpr int nested_depth = NestedOperandOf<X>::depth;
template <class X>
using nested_scalar = typename NestedOperandOf<X>::scalar;

// Returns the common element type of operands, by the rule of arrays and host scalars.
template <class A, class B>
constexpr auto nested_meet() {
  if constexpr (IsNested<A> == IsNested<B>)
    return promote<nested_scalar<A>, nested_scalar<B>>();
  else if constexpr (IsNested<A>)
    return MixedWithScalar<nested_scalar<A>, nested_scalar<B>>{};
  else
    return MixedWithScalar<nested_scalar<B>, nested_scalar<A>>{};
}
template <class A, class B>
using NestedMeet = decltype(nested_meet<A, B>());

template <int depth, class T>
struct SeqOfDepth {
  using type = Seq<typename SeqOfDepth<depth - 1, T>::type>;
};
template <class T>
struct SeqOfDepth<1, T> {
  using type = Seq<T>;
};
template <class T>
struct SeqOfDepth<0, T> {
  using type = Scalar<T>;
};

template <class S, class X>
nested::Value nested_operand(const X& x, const Location& where) {
  if constexpr (ScalarType<X>)
    return nested::constant(scalar_value(static_cast<S>(x)), where);
  else if constexpr (std::is_same_v<nested_scalar<X>, S>)
    return x.value();
  else
    return nested::cast(nested::current(), x.value(), element_type<S>, where);
}

// Applies op to operands whose common type is S.
template <Op op, class S, class... X>
auto apply_nested(const Location& where, const X&... x) {
  constexpr Rule rule = OpTraits<op>::rule;
  static_assert(rule != Rule::integer || kind<S> < 2, "this operation takes integers");
  using In = OperandOf<rule, S>;
  const nested::Value operands[] = {nested_operand<In>(x, where)...};
  using Result = typename SeqOfDepth<std::max({nested_depth<X>...}), ResultOf<rule, In>>::type;
  return Result(nested::elementwise(nested::current(), op, operands, where));
}

}  // namespace detail
}  // namespace tutti
TUTTI_END_EXPORTS
