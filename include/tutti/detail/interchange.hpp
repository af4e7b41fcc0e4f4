// Type-erased memory shared with other libraries, for view.hpp, dlpack.hpp and the Python module.
// Incoming memory is described by ForeignMemory and is never written; outgoing memory is described
// by LentMemory and must not be written.
#pragma once
#include <array>
#include <memory>
#include <string>

#include "tutti/detail/export.hpp"
#include "tutti/detail/graph.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti::detail {

struct ForeignMemory {
  const void* data = nullptr;  // the element with all coordinates zero
  ElementType type = ElementType::f32;
  Extents shape;
  std::array<int64_t, max_rank> strides{};  // in elements; may be negative or zero
  std::string device = "cpu";
  std::shared_ptr<const void> owner;  // held while the memory is needed; may be null
};

struct LentMemory {
  const void* data = nullptr;  // elements in row-major order
  ElementType type = ElementType::f32;
  Extents shape;
  std::shared_ptr<const void> owner;  // keeps the address valid
};

// Returns a node that reads the memory in place, with any strides. Elements in row-major order cost
// nothing; other orders cost index arithmetic in the kernels that read them.
NodeRef view(const ForeignMemory& memory, const Location& where);

// Evaluates a node and lends its elements on a device, after a transfer if they are elsewhere.
LentMemory lend(const NodeRef& node, const std::string& device);
// Returns where the elements of an evaluated node are: "cpu" for the host, else the current device.
std::string device_of(const NodeRef& node);

ElementType type_of(const NodeRef& node);
bool is_evaluated(const NodeRef& node);

// Returns the strides of elements in row-major order.
std::array<int64_t, max_rank> row_major(const Extents& shape);

}  // namespace tutti::detail
TUTTI_END_EXPORTS
