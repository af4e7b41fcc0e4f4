// Arrays over memory of other libraries, without a copy: Array<D, T>::view(memory). Descriptions of
// memory are recognised by their members, so no other header is needed: contiguous ranges, mdspan,
// matrices of Eigen, cv::Mat, DLPack tensors (dlpack.hpp). The memory is read and never written. It
// must stay unchanged and alive until every array computed from the view has been evaluated; an
// `owner` is held until then.
#pragma once
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/detail/interchange.hpp"
#include "tutti/dlpack.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

template <class M>
concept MdspanLike = requires(const M& m) {
  m.data_handle();
  m.extent(0);
  m.stride(0);
  M::rank();
};
template <class M>
concept EigenLike = requires(const M& m) {
  m.data();
  m.rows();
  m.cols();
  m.rowStride();
  m.colStride();
};
template <class M>
concept CvMatLike = requires(const M& m) {
  m.data;
  m.dims;
  m.size[0];
  m.step[0];
  m.channels();
  m.elemSize1();
  m.depth();
};

template <class P>
using PointedTo = std::remove_cv_t<std::remove_pointer_t<P>>;

// The element types of OpenCV's depths, indexed by depth.
inline constexpr ElementType cv_depths[] = {ElementType::u8,  ElementType::i8,  ElementType::u16,
                                            ElementType::i16, ElementType::i32, ElementType::f32,
                                            ElementType::f64, ElementType::f16};

template <MdspanLike M>
ForeignMemory memory_of_mdspan(const M& m) {
  ForeignMemory memory;
  memory.data = m.data_handle();
  memory.type = element_type<std::remove_cv_t<typename M::element_type>>;
  static_assert(M::rank() <= max_rank, "an Array has at most 8 dimensions");
  for (size_t axis = 0; axis < M::rank(); ++axis) {
    memory.shape.push_back(static_cast<int64_t>(m.extent(axis)));
    memory.strides[axis] = static_cast<int64_t>(m.stride(axis));
  }
  return memory;
}

// Describes a matrix, or a vector if `rank` is 1 and one of the extents is 1.
template <EigenLike M>
ForeignMemory memory_of_eigen(const M& m, int rank) {
  ForeignMemory memory;
  memory.data = m.data();
  memory.type = element_type<PointedTo<decltype(m.data())>>;
  const int64_t extents[] = {static_cast<int64_t>(m.rows()), static_cast<int64_t>(m.cols())};
  const int64_t strides[] = {static_cast<int64_t>(m.rowStride()),
                             static_cast<int64_t>(m.colStride())};
  if (rank == 1 && extents[0] != 1 && extents[1] != 1)
    throw ShapeError("view: a matrix of " + std::to_string(extents[0]) + " rows and " +
                     std::to_string(extents[1]) + " columns is no vector: use Array<2, T>::view");
  const int axis_of_vector = extents[1] == 1 ? 0 : 1;
  for (int axis = 0; axis < 2; ++axis) {
    if (rank == 1 && axis != axis_of_vector) continue;
    memory.strides[memory.shape.rank] = strides[axis];
    memory.shape.push_back(extents[axis]);
  }
  return memory;
}

// Makes the channels the last axis, unless there is one channel and the array has no axis for it.
template <CvMatLike M>
ForeignMemory memory_of_cv(const M& m, int rank) {
  ForeignMemory memory;
  memory.data = m.data;
  const int depth = m.depth();
  if (depth < 0 || depth > 7) throw TypeError("view: cv::Mat of an unknown depth");
  memory.type = cv_depths[depth];
  const auto bytes = static_cast<int64_t>(m.elemSize1());
  const auto add = [&](int64_t extent, int64_t stride) {
    if (memory.shape.rank == max_rank) throw ShapeError("view: cv::Mat has more than 8 dimensions");
    memory.strides[memory.shape.rank] = stride;
    memory.shape.push_back(extent);
  };
  for (int axis = 0; axis < m.dims; ++axis) {
    const auto step = static_cast<int64_t>(m.step[axis]);
    if (step % bytes != 0)
      throw ShapeError("view: the rows of the cv::Mat do not start at whole elements: clone() it");
    add(static_cast<int64_t>(m.size[axis]), step / bytes);
  }
  if (m.channels() > 1 || rank == m.dims + 1) add(m.channels(), 1);
  memory.owner = std::make_shared<M>(m);  // a cv::Mat counts references to its memory
  return memory;
}

template <class M>
ForeignMemory describe(M&& m, int rank) {
  using Plain = std::remove_cvref_t<M>;
  if constexpr (std::is_pointer_v<Plain>) {
    return foreign_memory(m);
  } else if constexpr (MdspanLike<Plain>) {
    return memory_of_mdspan(m);
  } else if constexpr (EigenLike<Plain>) {
    return memory_of_eigen(m, rank);
  } else if constexpr (CvMatLike<Plain>) {
    return memory_of_cv(m, rank);
  } else {
    static_assert(std::ranges::contiguous_range<Plain> && std::ranges::sized_range<Plain>,
                  "view() takes a contiguous range, an mdspan, a matrix of Eigen, a cv::Mat or a "
                  "pointer to a DLPack tensor");
    ForeignMemory memory;
    memory.type = element_type<std::remove_cv_t<std::ranges::range_value_t<Plain>>>;
    memory.shape.push_back(static_cast<int64_t>(std::ranges::size(m)));
    memory.strides[0] = 1;
    // A temporary range that owns its elements is kept alive.
    if constexpr (std::is_rvalue_reference_v<M&&> && !std::ranges::borrowed_range<Plain>) {
      auto kept = std::make_shared<Plain>(std::move(m));
      memory.data = std::ranges::data(*kept);
      memory.owner = std::move(kept);
    } else {
      memory.data = std::ranges::data(m);
    }
    return memory;
  }
}

inline NodeRef checked_view(const ForeignMemory& memory, ElementType type, int rank,
                            const Location& where) {
  if (memory.type != type)
    throw TypeError(std::string("view: the memory holds ") + name(memory.type) +
                    ", the array was to hold " + name(type) +
                    ": view it with its own type and cast" + at(where));
  if (memory.shape.rank != rank)
    throw ShapeError("view: the memory has the shape " + to_string(memory.shape) +
                     ", the array was to have rank " + std::to_string(rank) + at(where));
  return view(memory, where);
}

}  // namespace detail

template <int D, class T>
template <class M>
Array<D, T> Array<D, T>::view(M&& memory, std::shared_ptr<const void> owner,
                              const Location& where) {
  static_assert(parts == 1, "a view has elements that are numbers; join() views to have tuples");
  detail::ForeignMemory found = detail::describe(std::forward<M>(memory), D);
  if (owner) {
    using Owners = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
    found.owner = std::make_shared<Owners>(std::move(found.owner), std::move(owner));
  }
  return Array(detail::checked_view(found, element_type<scalar>, D, where));
}

template <int D, class T>
Array<D, T> Array<D, T>::view(const element* data, const Shape<D>& shape, const Shape<D>& strides,
                              std::shared_ptr<const void> owner, const Location& where) {
  static_assert(parts == 1, "a view has elements that are numbers; join() views to have tuples");
  detail::ForeignMemory memory;
  memory.data = data;
  memory.type = element_type<scalar>;
  memory.shape = shape.extents();
  memory.strides = strides.extents().dims;
  memory.owner = std::move(owner);
  return Array(detail::checked_view(memory, element_type<scalar>, D, where));
}

}  // namespace tutti
TUTTI_END_EXPORTS
