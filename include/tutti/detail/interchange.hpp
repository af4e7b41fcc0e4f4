// Memory shared with other libraries, without types: what view.hpp, dlpack.hpp and the Python
// module call. Memory that comes in is described by ForeignMemory and is never written; memory that
// goes out is described by LentMemory and must not be written.
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
  std::shared_ptr<const void> owner;  // held as long as the memory is needed; may be null
};

struct LentMemory {
  const void* data = nullptr;  // elements in row-major order
  ElementType type = ElementType::f32;
  Extents shape;
  std::shared_ptr<const void> owner;  // the address is valid as long as this
};

// A node that reads the memory where it is. Any strides: elements in row-major order cost nothing,
// other orders are index arithmetic in the kernels that read them.
NodeRef view(const ForeignMemory& memory, const Location& where);

// Evaluates, and lends the elements where they are on the device, or brings them there.
LentMemory lend(const NodeRef& node, const std::string& device);
// Where the elements of an evaluated node are: "cpu" if on the host, else the current device.
std::string device_of(const NodeRef& node);

ElementType type_of(const NodeRef& node);
bool is_evaluated(const NodeRef& node);

// The strides of elements in row-major order.
std::array<int64_t, max_rank> row_major(const Extents& shape);

}  // namespace tutti::detail
TUTTI_END_EXPORTS
