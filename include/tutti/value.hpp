// Value<N, T>: a tuple of N numbers. It is the element of tuple arrays (RGBA images, 3-D points),
// and a variable that computes immediately, component by component, like a number. While a program
// is being captured, Values record operations instead.
#pragma once
#include <array>
#include <concepts>
#include <string>

#include "tutti/detail/capture.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/error.hpp"
#include "tutti/types.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

template <int K, class Target>
class Swizzle;

namespace detail {

template <int N, class T>
Value<N, T> base_of(const Value<N, T>*);

// A Value, or a type derived from one: an input or output of a program, a swizzle.
template <class X>
concept IsValue = requires(const X* x) { base_of(x); };
template <IsValue X>
using ValueOf = decltype(base_of(static_cast<const X*>(nullptr)));

template <class X>
struct PartTraits {
  static constexpr int components = 1;
};
template <IsValue X>
struct PartTraits<X> {
  static constexpr int components = ValueOf<X>::size;
};

// A type that can be a part of a tuple in its constructor.
template <class X, class T>
concept IsPartOf = IsValue<X> || std::is_convertible_v<X, T>;

struct FromNodes {};

}  // namespace detail

// A tuple of N numbers of type T.
template <int N, class T>
class Value {
  static_assert(N >= 1, "a Value has at least one component");
  static_assert(ScalarType<T>, "the components of a Value are numbers or bool");

 public:
  using scalar = T;
  static constexpr int size = N;
  using Numbers = std::array<T, N>;
  using Nodes = std::array<detail::NodeRef, N>;

  Value() : Value(Numbers{}) {}
  // Sets all components to one number.
  template <class S>
  requires(std::is_convertible_v<S, T> && !detail::IsValue<S>)
  Value(const S& all) : components_{} {
    const T number = static_cast<T>(all);
    components_.fill(number);
    declare_in_capture();
  }
  // Concatenates numbers and tuples: Value4f(rgb, 1.0f).
  template <class... P>
  requires(sizeof...(P) > 1 && (detail::PartTraits<P>::components + ...) == N &&
           (detail::IsPartOf<P, T> && ...))
  Value(const P&... parts) : components_{} {
    put_together(parts...);
  }
  Value(const Value& other) : components_{} { become(other); }
  // Converts the element type. A single number is repeated for all components. Conversions to a
  // narrower kind are explicit.
  template <int M, class U>
  requires((M == N || M == 1) && !(M == N && std::is_same_v<U, T>))
  explicit(detail::kind<U> > detail::kind<T>) Value(const Value<M, U>& other) : components_{} {
    convert_from(other);
  }
  Value(detail::FromNodes, const Nodes& nodes) : components_{} { link_.declare(nodes); }

  // Assigns to a variable. Results of expressions cannot be assigned to.
  Value& operator=(const Value& other) & {
    if (detail::capturing()) {
      link_.assign(other.nodes());
      return *this;
    }
    if (link_.is_symbolic()) link_.refuse_reading();
    components_ = other.numbers();
    changed();
    return *this;
  }

  // Returns or sets one component on the host.
  T get(int i) const {
    if (link_.exists() && link_.is_symbolic()) link_.refuse_reading();
    return components_[check(i)];
  }
  void set(int i, T number) {
    if (detail::capturing()) {
      Nodes changed_nodes = nodes();
      changed_nodes[check(i)] = detail::record_constant(scalar_value(number));
      link_.assign(changed_nodes);
      return;
    }
    if (link_.exists() && link_.is_symbolic()) link_.refuse_reading();
    components_[check(i)] = number;
    changed();
  }
  operator T() const
  requires(N == 1)
  {
    return get(0);
  }

  // Swizzles: v(2, 1, 0) is a tuple of these components; on the left it is assigned to.
  template <std::integral... I>
  Value<static_cast<int>(sizeof...(I)), T> operator()(I... index) const& {
    return picked(std::array<int, sizeof...(I)>{static_cast<int>(index)...});
  }
  template <std::integral... I>
  Swizzle<static_cast<int>(sizeof...(I)), Value> operator()(I... index) & {
    return {*this, {static_cast<int>(index)...}};
  }
  template <size_t K>
  Value<static_cast<int>(K), T> picked(const std::array<int, K>& index) const {
    for (int i : index) check(i);
    if (detail::capturing()) {
      const Nodes from = nodes();
      std::array<detail::NodeRef, K> chosen;
      for (size_t k = 0; k < K; ++k) chosen[k] = from[index[k]];
      return {detail::FromNodes{}, chosen};
    }
    Value<static_cast<int>(K), T> result;
    for (size_t k = 0; k < K; ++k) result.set(static_cast<int>(k), get(index[k]));
    return result;
  }

#define TUTTI_ASSIGN_OPERATOR(op)             \
  template <class X>                          \
  Value& operator op## = (const X& other) & { \
    return *this = Value(*this op other);     \
  }
#include "tutti/detail/assign_operators.def"

  // For the functions of this library: the numbers, outside of a capture...
  const Numbers& numbers() const {
    if (link_.exists() && link_.is_symbolic()) link_.refuse_reading();
    return components_;
  }
  // ...and the nodes, during one.
  detail::NodeRef node(int i) const { return link_.node(i, scalars()); }
  Nodes nodes() const {
    Nodes result;
    for (int i = 0; i < N; ++i) result[i] = node(i);
    return result;
  }
  const std::shared_ptr<detail::ValueState>& cell() const { return link_.cell(scalars()); }
  const detail::ValueLink& link() const { return link_; }

 private:
  static int check(int i) {
    if (i < 0 || i >= N)
      throw ShapeError("component " + std::to_string(i) + " of a tuple of " + std::to_string(N) +
                       detail::in_program());
    return i;
  }

  explicit Value(const Numbers& numbers) : components_(numbers) { declare_in_capture(); }

  std::array<ScalarValue, N> scalars() const {
    std::array<ScalarValue, N> result;
    for (int i = 0; i < N; ++i) result[i] = scalar_value(components_[i]);
    return result;
  }
  void changed() {
    if (link_.exists()) link_.publish(scalars());
  }
  void declare_in_capture() {
    if (!detail::capturing()) return;
    Nodes nodes;
    for (int i = 0; i < N; ++i) nodes[i] = detail::record_constant(scalar_value(components_[i]));
    link_.declare(nodes);
  }
  void become(const Value& other) {
    if (detail::capturing())
      link_.declare(other.nodes());
    else
      components_ = other.numbers();
  }

  template <int M, class U>
  void convert_from(const Value<M, U>& other) {
    if (detail::capturing()) {
      const auto from = other.nodes();
      Nodes nodes;
      for (int i = 0; i < N; ++i)
        nodes[i] = detail::record_cast(from[M == 1 ? 0 : i], element_type<T>, {});
      link_.declare(nodes);
    } else {
      for (int i = 0; i < N; ++i) components_[i] = converted<U>(other.get(M == 1 ? 0 : i));
    }
  }
  template <class U>
  static T converted(U number) {
    if constexpr (std::is_same_v<U, T>)
      return number;
    else
      return detail::number<T>(convert(scalar_value(number), element_type<T>));
  }

  template <class... P>
  void put_together(const P&... parts) {
    int next = 0;
    if (detail::capturing()) {
      Nodes nodes;
      const auto take = [&](const auto& part) {
        if constexpr (detail::IsValue<std::decay_t<decltype(part)>>) {
          for (const detail::NodeRef& node : part.nodes())
            nodes[next++] = detail::record_cast(node, element_type<T>, {});
        } else {
          nodes[next++] = detail::record_constant(scalar_value(static_cast<T>(part)));
        }
      };
      (take(parts), ...);
      link_.declare(nodes);
    } else {
      const auto take = [&](const auto& part) {
        if constexpr (detail::IsValue<std::decay_t<decltype(part)>>) {
          for (const auto& number : part.numbers()) components_[next++] = converted(number);
        } else {
          components_[next++] = static_cast<T>(part);
        }
      };
      (take(parts), ...);
    }
  }

  Numbers components_;
  detail::ValueLink link_;
};

#define TUTTI_VALUE_NAMES(suffix, type)  \
  using Value1##suffix = Value<1, type>; \
  using Value2##suffix = Value<2, type>; \
  using Value3##suffix = Value<3, type>; \
  using Value4##suffix = Value<4, type>;
TUTTI_VALUE_NAMES(f, float)
TUTTI_VALUE_NAMES(d, double)
TUTTI_VALUE_NAMES(h, half)
TUTTI_VALUE_NAMES(i, int32_t)
TUTTI_VALUE_NAMES(ui, uint32_t)
TUTTI_VALUE_NAMES(s, int16_t)
TUTTI_VALUE_NAMES(us, uint16_t)
TUTTI_VALUE_NAMES(b, int8_t)
TUTTI_VALUE_NAMES(ub, uint8_t)
TUTTI_VALUE_NAMES(l, int64_t)
TUTTI_VALUE_NAMES(ul, uint64_t)
TUTTI_VALUE_NAMES(bool, bool)
#undef TUTTI_VALUE_NAMES

}  // namespace tutti
TUTTI_END_EXPORTS

#include "tutti/swizzle.hpp"
#include "tutti/value_ops.hpp"
