// Elements<D, T>: the elements of an evaluated array on the host, not copied, with the members of
// an mdspan. They are read-only, and valid as long as the Elements object or a copy of it exists.
#pragma once
#include <array>
#include <memory>
#include <span>
#if __has_include(<mdspan>)
#include <mdspan>
#endif

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/detail/interchange.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// A read-only view of the elements of an evaluated array on the host.
template <int D, ScalarType T>
class Elements {
 public:
  using element_type = const T;
  using value_type = T;

  // Evaluates the array and transfers its elements to the host.
  explicit Elements(const Array<D, T>& a) : lent_(detail::lend(a.node(), "cpu")) {}

  // The elements are in row-major order; strides count elements.
  const T* data_handle() const { return data(); }
  const T* data() const { return static_cast<const T*>(lent_.data); }
  int64_t size() const { return lent_.shape.size(); }
  static constexpr size_t rank() { return D; }
  int64_t extent(size_t axis) const { return lent_.shape[static_cast<int>(axis)]; }
  int64_t stride(size_t axis) const { return detail::row_major(lent_.shape)[axis]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }

  // Returns the element at one coordinate for each axis. The coordinates are not checked.
  template <detail::Integer... I>
  requires(sizeof...(I) == D)
  const T& operator()(I... coordinates) const {
    int64_t place = 0;
    int axis = 0;
    ((place = place * lent_.shape[axis++] + static_cast<int64_t>(coordinates)), ...);
    return data()[place];
  }

  // Converts to the views of the standard library, which do not keep the elements alive.
  operator std::span<const T>() const { return {data(), static_cast<size_t>(size())}; }
#ifdef __cpp_lib_mdspan
  operator std::mdspan<const T, std::dextents<int64_t, D>>() const {
    std::array<int64_t, D> extents{};
    for (int axis = 0; axis < D; ++axis) extents[axis] = lent_.shape[axis];
    return {data(), extents};
  }
#endif

  // Returns the owner of the elements, which keeps them alive.
  const std::shared_ptr<const void>& owner() const { return lent_.owner; }

 private:
  detail::LentMemory lent_;
};

// Evaluates an array and returns its elements on the host.
template <int D, ScalarType T>
Elements<D, T> as_mdspan(const Array<D, T>& a) {
  return Elements<D, T>(a);
}

}  // namespace tutti
TUTTI_END_EXPORTS
