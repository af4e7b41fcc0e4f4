// Shapes and the small per-axis arguments of transformations.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "tutti/detail/export.hpp"
#include "tutti/error.hpp"
#include "tutti/types.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// The greatest number of axes.
constexpr int max_rank = 8;

namespace detail {

template <class I>
concept Integer = std::is_integral_v<I> && !std::is_same_v<I, bool>;

// A shape whose rank is known only at run time: the representation of the graph.
struct Extents {
  int rank = 0;
  std::array<int64_t, max_rank> dims{};

  int64_t operator[](int axis) const { return dims[axis]; }
  int64_t& operator[](int axis) { return dims[axis]; }
  const int64_t* begin() const { return dims.data(); }
  const int64_t* end() const { return dims.data() + rank; }
  int64_t size() const {
    int64_t n = 1;
    for (int64_t dim : *this) n *= dim;
    return n;
  }
  void push_back(int64_t dim) { dims[rank++] = dim; }
  bool operator==(const Extents& other) const {
    if (rank != other.rank) return false;
    for (int i = 0; i < rank; ++i)
      if (dims[i] != other.dims[i]) return false;
    return true;
  }
};

std::string to_string(const Extents& extents);  // "{2, 3}"

}  // namespace detail

// D integers: the extents of an array, or one offset for each of its axes.
template <int D>
class Shape {
 public:
  Shape() : dims_{} {}
  template <detail::Integer... I>
  requires(sizeof...(I) == D && D > 0)
  Shape(I... dims) : dims_{static_cast<int64_t>(dims)...} {}
  explicit Shape(const std::array<int64_t, D>& dims) : dims_(dims) {}
  explicit Shape(const detail::Extents& extents) : dims_{} {
    for (int i = 0; i < D; ++i) dims_[i] = extents[i];
  }

  int64_t operator[](int axis) const { return dims_[axis]; }
  int64_t& operator[](int axis) { return dims_[axis]; }
  static constexpr int rank() { return D; }
  int64_t size() const { return extents().size(); }
  auto begin() const { return dims_.begin(); }
  auto end() const { return dims_.end(); }
  bool operator==(const Shape&) const = default;

  detail::Extents extents() const {
    detail::Extents result;
    for (int64_t dim : dims_) result.push_back(dim);
    return result;
  }

 private:
  std::array<int64_t, D> dims_;
};

// One axis of section(): `count` elements from `begin` on, `stride` apart.
struct Range {
  int64_t begin = 0;
  int64_t count = 0;
  int64_t stride = 1;
};

// One axis of expand() and pad(): the number of elements added before and after.
struct Margin {
  int64_t before = 0;
  int64_t after = 0;
};

// One X for each axis, written {{...}, {...}}.
template <class X>
class PerAxis {
 public:
  PerAxis(std::initializer_list<X> items) : items_(items) {}
  explicit PerAxis(std::vector<X> items) : items_(std::move(items)) {}
  const std::vector<X>& items() const { return items_; }

 private:
  std::vector<X> items_;
};

// The element that a transformation reads where its input has none.
class Boundary {
 public:
  enum class Kind : uint8_t { constant, clamp, wrap };

  template <ScalarType T>
  static Boundary constant(T value) {
    Boundary b(Kind::constant);
    b.values_.push_back(scalar_value(value));
    return b;
  }
  template <int N, class T>
  static Boundary constant(const Value<N, T>& value) {
    Boundary b(Kind::constant);
    for (int i = 0; i < N; ++i) b.values_.push_back(scalar_value(value.get(i)));
    return b;
  }
  static Boundary clamp() { return Boundary(Kind::clamp); }  // the nearest element
  static Boundary wrap() { return Boundary(Kind::wrap); }    // coordinates modulo the extent

  Kind kind() const { return kind_; }
  // Returns the constant for one component of a tuple; a single value is used for all components.
  ScalarValue value(int component) const {
    if (values_.empty()) return {};
    return values_.size() == 1 ? values_[0] : values_.at(component);
  }
  int values() const { return static_cast<int>(values_.size()); }

 private:
  explicit Boundary(Kind kind) : kind_(kind) {}
  Kind kind_;
  std::vector<ScalarValue> values_;
};

}  // namespace tutti
TUTTI_END_EXPORTS
