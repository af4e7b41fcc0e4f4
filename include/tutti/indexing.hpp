// Parts of arrays in the notation of NumPy: a(whole, range(2, 9)), a(3, from(-2)), a[3]. An index
// drops its axis, a range keeps it. Negative indices count from the end. Parts are not copied;
// parts of a variable can be assigned to.
#pragma once
#include <optional>

#include "tutti/access.hpp"
#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Some elements of one axis. A missing begin or end is the end of the axis that the step starts
// from or walks to.
class AxisPart {
 public:
  constexpr AxisPart(std::optional<int64_t> begin, std::optional<int64_t> end, int64_t step)
      : begin_(begin), end_(end), step_(step) {}
  // Returns the elements of an axis. Like in Python, the part is clipped to the axis.
  Range range(int64_t extent) const;

 private:
  std::optional<int64_t> begin_, end_;
  int64_t step_;
};

// Returns an index as a range of one element. Throws ShapeError if it is outside of the axis.
Range range_of_index(int64_t index, int axis, const Extents& shape);

inline Range range_of(const AxisPart& part, int axis, const Extents& shape) {
  return part.range(shape[axis]);
}
template <Integer I>
Range range_of(I index, int axis, const Extents& shape) {
  return range_of_index(static_cast<int64_t>(index), axis, shape);
}

// The selected part of each axis, and the axes that are dropped. Axes without an index are whole.
struct SelectedAxes {
  std::vector<Range> ranges;
  std::vector<int> dropped;  // ascending

  // Returns the same elements in ascending order, and the ranges that bring values into that order.
  std::vector<Range> forward() const;
  std::vector<Range> turned(const NodeRef& values) const;

  template <class... I>
  static SelectedAxes of(const Extents& shape, const I&... indices) {
    SelectedAxes result;
    int axis = 0;
    const auto add = [&](const auto& index) {
      if constexpr (Integer<std::remove_cvref_t<decltype(index)>>) result.dropped.push_back(axis);
      result.ranges.push_back(range_of(index, axis, shape));
      ++axis;
    };
    (add(indices), ...);
    for (; axis < shape.rank; ++axis) result.ranges.push_back({0, shape[axis]});
    return result;
  }
};

template <int Kept, int D, class T>
Array<Kept, canonical_t<T>> selected_axes(const Array<D, T>& a, const SelectedAxes& axes) {
  return for_each_component<Kept>(a, [&](const NodeRef& node, int) {
    NodeRef result = section(node, axes.ranges, Location());
    for (size_t i = axes.dropped.size(); i-- > 0;)
      result = drop_dimension(result, axes.dropped[i], Location());
    return result;
  });
}

template <int Kept, int D, class T, class... I>
Array<Kept, canonical_t<T>> selected(const Array<D, T>& a, const I&... indices) {
  return selected_axes<Kept>(a, SelectedAxes::of(a.shape().extents(), indices...));
}

// A part of a variable that can be assigned to.
template <int Kept, int D, class T>
class Selection : public Array<Kept, canonical_t<T>> {
 public:
  using Base = Array<Kept, canonical_t<T>>;
  Selection(Array<D, T>& target, SelectedAxes axes)
      : Base(selected_axes<Kept>(target, axes)), target_(target), axes_(std::move(axes)) {}
  Selection(const Selection&) = default;
  Selection& operator=(const Base& values) {
    const std::vector<Range> forward = axes_.forward();
    const Array<D, canonical_t<T>> thick =
        for_each_component<D>(values, [&](const NodeRef& node, int) {
          NodeRef result = node;
          for (const int axis : axes_.dropped) result = add_dimension(result, axis, 1, Location());
          return section(result, axes_.turned(result), Location());
        });
    target_ = with_part(target_, forward, thick, Location());
    Base::operator=(values);
    return *this;
  }
  Selection& operator=(const Selection& other) { return *this = static_cast<const Base&>(other); }
  // Assigns one element to the whole part.
  template <class S>
  requires ElementFor<S, T>
  Selection& operator=(const S& same) {
    return *this = Base(this->shape(), static_cast<canonical_t<T>>(same));
  }
// Operators of real arrays take the line of the call, those of complex ones do not. The elements
// are those that the variable has now.
#define TUTTI_ASSIGN_OPERATOR(op)                              \
  Selection& operator op## = (Located<Kept, canonical_t<T>> x) \
  requires(Kept > 0)                                           \
  {                                                            \
    const Base old = current();                                \
    if constexpr (requires { old op x; })                      \
      return *this = Base(old op x);                           \
    else                                                       \
      return *this = Base(old op x.array);                     \
  }                                                            \
  template <class X>                                           \
  requires(Kept == 0 || !std::is_base_of_v<Base, X>)           \
  Selection& operator op## = (const X& x) {                    \
    return *this = Base(current() op x);                       \
  }
#include "tutti/detail/assign_operators.def"

 private:
  Base current() const { return selected_axes<Kept>(target_, axes_); }

  Array<D, T>& target_;
  SelectedAxes axes_;
};

template <int Kept, int D, class T, class... I>
Selection<Kept, D, T> selection_of(Array<D, T>& a, const I&... indices) {
  return {a, SelectedAxes::of(a.shape().extents(), indices...)};
}

template <int Kept, int D, class T>
struct OperandTraits<Selection<Kept, D, T>> : OperandTraits<Array<Kept, T>> {};

}  // namespace detail

// Selects the elements of an axis from `begin` up to, but not including, `end`, in steps of `step`.
// A negative step walks backwards: range(8, 2, -2) selects 8, 6, 4.
inline detail::AxisPart range(int64_t begin, int64_t end, int64_t step = 1) {
  return {begin, end, step};
}
// Select all elements from `begin` on; all before `end`; every step-th, from the last if the step
// is negative.
inline detail::AxisPart from(int64_t begin, int64_t step = 1) { return {begin, {}, step}; }
inline detail::AxisPart until(int64_t end, int64_t step = 1) { return {{}, end, step}; }
inline detail::AxisPart every(int64_t step) { return {{}, {}, step}; }
// Selects all elements of an axis.
inline constexpr detail::AxisPart whole{{}, {}, 1};

}  // namespace tutti
TUTTI_END_EXPORTS
