#include "ranks/locate.hpp"

#include "numerics/scalar_apply.hpp"
#include "ranks/job.hpp"

namespace tutti::ranks {

Locator::Locator(const Extents& shape, const Layout& layout, Boundary::Kind rule,
                 std::span<const NodeRef> indices)
    : shape_(shape), layout_(layout), rule_(rule) {
  for (const NodeRef& index : indices) {
    BufferRef buffer = elements_of(index);
    const std::byte* first = host_bytes(buffer);
    indices_.push_back({std::move(buffer), first, index->type == ElementType::i64,
                        index->shape.rank == 0 ? 0 : 1});
  }
}

Locator::Place Locator::operator()(int64_t i) const {
  std::array<int64_t, max_rank> at{};
  for (int axis = 0; axis < shape_.rank; ++axis) {
    const Indices& indices = indices_[static_cast<size_t>(axis)];
    int64_t& index = at[static_cast<size_t>(axis)];
    if (indices.wide) {
      std::memcpy(&index, indices.first + i * indices.step * 8, 8);
    } else {
      int32_t narrow;
      std::memcpy(&narrow, indices.first + i * indices.step * 4, 4);
      index = narrow;
    }
    if (!ir::bring_inside(index, shape_[axis], rule_)) return {};
  }
  const std::vector<int64_t>& offsets = layout_.offsets;
  int64_t& along = at[static_cast<size_t>(layout_.axis)];
  const auto owner =
      static_cast<size_t>(std::ranges::upper_bound(offsets, along) - offsets.begin() - 1);
  along -= offsets[owner];
  int64_t position = 0;
  for (int axis = 0; axis < shape_.rank; ++axis)
    position =
        position * (axis == layout_.axis ? offsets[owner + 1] - offsets[owner] : shape_[axis]) +
        at[static_cast<size_t>(axis)];
  return {static_cast<int>(owner), position};
}

}  // namespace tutti::ranks
